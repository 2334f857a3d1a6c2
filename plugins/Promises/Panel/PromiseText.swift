import Contract
import Foundation
import PanelKit
import PromisesAPI

/// The texts for promises and their people: values, so that each can be tested alone.
enum PromiseText {
    /// "Sat 21 Nov, 18:00" in the time zone of this window.
    static func when(_ moment: Timestamp, in zone: TimeZone = .autoupdatingCurrent) -> String {
        let formatter = DateFormatter()
        formatter.timeZone = zone
        formatter.setLocalizedDateFormatFromTemplate("EEEdMMMjjmm")
        return formatter.string(from: Date(moment))
    }

    /// The time, location, people and penalty of a promise, on one line.
    static func detail(of promise: PromiseSummary, when: String) -> String {
        let penalty = promise.penalty == 0 ? nil : "late: \(promise.penalty) potatoes"
        let parts = [when, promise.locationName?.string, people(of: promise), penalty]
        return parts.compactMap { $0 }.joined(separator: " · ")
    }

    /// Someone who is asked takes no part yet, so a promise of one person is its maker's.
    private static func people(of promise: PromiseSummary) -> String {
        guard promise.peopleCount == 1 else { return "\(promise.peopleCount) people" }
        return promise.state == .invited ? "\(promise.makerName) alone so far" : "you alone so far"
    }

    /// The state of a promise now.
    static func state(of promise: PromiseSummary) -> String {
        if promise.state == .invited { return "\(promise.makerName) asks you" }
        if promise.sharing == .unconfirmed { return question(about: promise) }
        switch promise.phase {
        case .tracking: return sharing(promise.sharing)
        case .past: return "Past"
        case .deleted: return "Called off"
        case .scheduled, .unknown: return promise.mine ? "You made it" : "You take part"
        }
    }

    private static func sharing(_ state: PromiseSharing) -> String {
        switch state {
        case .sharing: "Now: the others see where you are"
        case .searching: "Now: nobody knows where you are"
        case .stopped: "Now: you are not shown, and your arrival is not noted"
        case .interrupted: "Now: you are not shown since a restart"
        case .elsewhere: "Now: another device of yours shows where you are"
        case .arrived: "You have arrived"
        case .idle, .outside, .unconfirmed, .unknown: "Now"
        }
    }

    /// The time before a promise from which the others see the user's location.
    private static let tracking = Duration.seconds(1800)

    /// The question whether the user agrees to a promise's new time.
    static func question(
        about promise: PromiseSummary, in zone: TimeZone = .autoupdatingCurrent
    ) -> String {
        "\(promise.makerName) moved it. Show your location from "
            + "\(when(promise.atMs - tracking, in: zone))?"
    }

    /// The title and text of the bar about a promise that shows the user's location, or asks
    /// whether to; nil if it does neither.
    static func bar(about promise: PromiseSummary) -> (title: String, detail: String)? {
        switch promise.sharing {
        case .sharing:
            ("\(promise.title): the others see your location", "Until you arrive.")
        case .searching:
            (
                "\(promise.title): your location is unknown",
                "The others see it as soon as it is known."
            )
        case .elsewhere:
            (
                "\(promise.title): the others see your location",
                "Another device of yours sends it, until you arrive."
            )
        case .unconfirmed:
            (
                "\(promise.title) is on \(when(promise.atMs)) now",
                question(about: promise) + " Nobody sees it until you confirm."
            )
        case .idle, .outside, .stopped, .interrupted, .arrived, .unknown: nil
        }
    }

    /// The state of a participant, on one line.
    /// - Parameter age: the present age of their location; nil without one.
    static func line(of person: PromisePerson, age: Duration?) -> String {
        guard person.state == .member else { return standing(person.state) }
        if let rank = person.rank {
            let medal = person.medal.flatMap(medal) ?? ""
            return "#\(rank) · \(medal)\(person.latenessText?.string ?? "")"
        }
        if person.lateness == .noShow { return "did not come" }
        if person.hasConfirmed == false {
            return person.me
                ? "you have not confirmed the new time" : "has not confirmed the new time"
        }
        guard let age, let remaining = person.remaining else {
            return person.departedMs == nil ? "not on the way yet" : "location not known"
        }
        guard age <= MapMarker.freshMax else {
            return "no location for \(age.components.seconds / 60) min (\(remaining) then)"
        }
        return "\(remaining) to go · \(AgeText.ago(age))"
    }

    private static func medal(_ medal: PromiseMedal) -> String? {
        medal == .unknown ? nil : "\(medal.rawValue) medal, "
    }

    private static func standing(_ state: PromiseMembership) -> String {
        switch state {
        case .invited: "invited"
        case .left: "declined or left"
        case .member, .removed, .unknown: "not taking part"
        }
    }

    /// A person's debts and how well they keep promises. The share is never rounded up: nearly all
    /// kept is not all, and titles begin at whole numbers.
    static func ledger(_ person: PromiseLedger.Person) -> String {
        let kept =
            person.keptPercent.map { "\(Int($0.value.rounded(.down))) % kept" } ?? "none past yet"
        let owes = person.owes == 0 ? nil : "owes \(person.owes) potatoes"
        return [person.title.rawValue, kept, owes].compactMap { $0 }.joined(separator: " · ")
    }
}
