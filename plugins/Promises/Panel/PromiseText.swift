import Contract
import Foundation
import PanelKit
import PromisesAPI

/// The texts for promises and their people: values, so that each can be tested alone.
enum PromiseText {
    /// "Today 18:30 · in 24 min".
    static func countdown(
        to moment: Timestamp, now: Timestamp, calendar: Calendar = .here
    ) -> String {
        let day = moment.dayAndTime(now: now, calendar: calendar)
        let ahead = moment - now
        let distance =
            ahead >= .seconds(3600)
            ? localized("in \(AgeText.spanInTwoUnits(ahead))")
            : localized(AgeText.distance(to: moment, now: now))
        return "\(day) · \(distance)"
    }

    /// The time, location and state of a promise in a list.
    static func line(
        of promise: PromiseSummary, now: Timestamp, calendar: Calendar = .here
    ) -> String {
        let time = promise.atMs.dayAndTime(now: now, calendar: calendar)
        let parts = [time, promise.locationName?.string, state(of: promise, now: now)]
        return parts.compactMap { $0 }.joined(separator: " · ")
    }

    /// The location, people and penalty of a promise, on one line.
    static func detail(of promise: PromiseSummary) -> String {
        let penalty =
            promise.penalty == 0
            ? nil : localized("being late costs \(PotatoText.count(promise.penalty.value))")
        let parts = [promise.locationName?.string, people(of: promise), penalty]
        return parts.compactMap { $0 }.joined(separator: " · ")
    }

    /// Someone who is asked takes no part yet, so a promise of one person is its maker's.
    private static func people(of promise: PromiseSummary) -> String {
        guard promise.peopleCount == 1 else { return localized("\(promise.peopleCount) people") }
        return promise.mine
            ? localized("only you so far") : localized("only \(promise.shownMaker) so far")
    }

    /// The state of a promise now; nil if there is nothing to say.
    static func state(of promise: PromiseSummary, now: Timestamp) -> String? {
        if promise.state == .invited { return localized("\(promise.shownMaker) invited you") }
        if promise.sharing == .unconfirmed {
            return localized("\(promise.shownMaker) changed the time")
        }
        switch promise.phase {
        case .tracking: return sharing(promise.sharing)
        case .deleted: return localized("called off")
        case .past, .scheduled, .unknown: return nil
        }
    }

    private static func sharing(_ state: PromiseSharing) -> String? {
        switch state {
        case .sharing: localized("the others see your location")
        case .searching: localized("your location is unknown")
        case .stopped: localized("your location is hidden, and your arrival does not count")
        case .interrupted: localized("your location has been hidden since a restart")
        case .elsewhere: localized("another device of yours shows your location")
        case .arrived: localized("you have arrived")
        case .idle, .outside, .unconfirmed, .unknown: nil
        }
    }

    /// Returns the sentence on the page of a promise: a question, or whether others see the user;
    /// nil if there is nothing to say.
    static func sentence(
        about promise: PromiseSummary, now: Timestamp, calendar: Calendar = .here
    ) -> String? {
        if promise.state == .invited {
            return localized(
                "\(promise.shownMaker) invited you. If you accept, participants see your location "
                    + "from 30 minutes before.")
        }
        if promise.sharing == .unconfirmed {
            return question(about: promise, now: now, calendar: calendar)
        }
        // A bar says on every page that the location is shown.
        let hasBar = bar(about: promise, now: now) != nil
        guard promise.phase == .tracking, !hasBar, let state = sharing(promise.sharing) else {
            return nil
        }
        return state.prefix(1).uppercased() + state.dropFirst() + "."
    }

    /// The time before a promise from which the others see the user's location.
    private static let tracking = Duration.seconds(1800)

    /// The question whether the user agrees to a promise's new time.
    static func question(
        about promise: PromiseSummary, now: Timestamp, calendar: Calendar = .here
    ) -> String {
        let begin = (promise.atMs - tracking)
            .dayAndTimeInSentence(now: now, calendar: calendar)
        return localized(
            "\(promise.shownMaker) changed the time. Show your location from \(begin)?")
    }

    /// The title and text of the bar about a promise that shows the user's location, asks whether
    /// to, or invites; nil if it does none of these.
    /// - Parameter viewers: the others who take part, if the location is shown to them.
    static func bar(
        about promise: PromiseSummary, viewers: [PromisePerson] = [], now: Timestamp
    ) -> (title: String, detail: String)? {
        if promise.state == .invited {
            let time = countdown(to: promise.atMs, now: now)
            return now < promise.atMs
                ? (
                    localized("\(promise.shownMaker) invites you to \(promise.title)"),
                    "\(time) · \(detail(of: promise))"
                ) : nil
        }
        return switch promise.sharing {
        case .sharing, .searching, .elsewhere:
            ViewersText(viewers).sentence(promise.sharing).map { ($0, "") }
        case .unconfirmed:
            (
                localized(
                    "\(promise.title) moved to \(promise.atMs.dayAndTimeInSentence(now: now))"),
                question(about: promise, now: now) + localized(" Nobody sees it until you confirm.")
            )
        case .idle, .outside, .stopped, .interrupted, .arrived, .unknown: nil
        }
    }

    /// Returns the name of a person, or words if the node knows only the digits of their key.
    static func name(_ name: PersonName, of person: Key) -> String {
        name.string == KeySuffix(person).string
            ? localized("Someone without a name") : name.string
    }

    /// The state of a participant, on one line.
    /// - Parameters:
    ///   - age: the present age of their location; nil without one.
    ///   - sharing: the state of showing the user's own location, for the user's own line.
    static func line(
        of person: PromisePerson, age: Duration?, sharing: PromiseSharing? = nil
    ) -> String {
        guard person.state == .member else { return standing(person.state) }
        if let rank = person.rank {
            return arrival(rank, person.medal, person.latenessText?.string)
        }
        if person.lateness == .noShow { return localized("Did not come") }
        if person.hasConfirmed == false {
            return person.me
                ? localized("You have not confirmed the new time")
                : localized("Has not confirmed the new time")
        }
        if person.me, sharing == .stopped || sharing == .interrupted {
            return localized("Not shown to the others")
        }
        guard let age, let remaining = person.remaining else {
            return person.departedMs == nil
                ? localized("Not on the way yet") : localized("Location not known")
        }
        guard age <= MapMarker.freshMax else {
            return localized(
                "No location for \(age.components.seconds / 60) min · \(remaining) to go then")
        }
        return localized("\(remaining) to go · \(AgeText.ago(age))")
    }

    /// Returns the part of the way that is done, below its bar. It is rounded down, since nearly
    /// there is not there.
    static func part(_ share: Double) -> String {
        localized("\(Int((share * 100).rounded(.down)))% of the way done")
    }

    /// "1st · gold medal · 4 min early".
    private static func arrival(
        _ rank: Ordinal, _ medal: PromiseMedal?, _ lateness: String?
    ) -> String {
        [ordinal(rank.value), medal.flatMap(self.medal), lateness].compactMap { $0 }
            .joined(separator: " · ")
    }

    private static func medal(_ medal: PromiseMedal) -> String? {
        switch medal {
        case .gold: localized("gold medal")
        case .silver: localized("silver medal")
        case .bronze: localized("bronze medal")
        case .unknown: nil
        }
    }

    private static func ordinal(_ number: Int) -> String {
        let isTeen = (11...13).contains(number % 100)
        return switch isTeen ? 0 : number % 10 {
        case 1: localized("\(number)st")
        case 2: localized("\(number)nd")
        case 3: localized("\(number)rd")
        default: localized("\(number)th")
        }
    }

    private static func standing(_ state: PromiseMembership) -> String {
        switch state {
        case .invited: localized("Invited")
        case .left: localized("Declined or left")
        case .member, .removed, .unknown: localized("Not taking part")
        }
    }

    /// The outcome for a person when a promise is past.
    static func result(of person: PromiseResult.Person) -> String {
        let debt =
            person.owes == 0 ? nil : localized("owes \(PotatoText.count(person.owes.value))")
        let outcome =
            person.rank.map { arrival($0, person.medal, person.latenessText.string) }
            ?? localized("Did not come")
        return [outcome, debt].compactMap { $0 }.joined(separator: " · ")
    }

    /// Returns a person's share of kept promises and their debts. The share is never rounded up:
    /// nearly all kept is not all, and titles begin at whole numbers.
    static func ledger(_ person: PromiseLedger.Person) -> String {
        let kept = person.keptPercent.map { localized("\(Int($0.value.rounded(.down)))% kept") }
        let past =
            person.past == 0
            ? localized("no past promises yet")
            : localized(
                Sentence(
                    count: person.past.value, one: "1 promise",
                    other: "\(NumberText.grouped(person.past.value)) promises"))
        let potatoes = PotatoText.count(person.owes.value)
        let debt = person.me ? localized("you owe \(potatoes)") : localized("owes \(potatoes)")
        let owes = person.owes == 0 ? nil : debt
        return [kept, past, owes].compactMap { $0 }.joined(separator: " · ")
    }

    /// A title for kept promises in words.
    static func title(_ title: PromiseTitle) -> String {
        switch title {
        case .newcomer: localized("Newcomer")
        case .plankton: localized("Plankton")
        case .inchworm: localized("Inchworm")
        case .truant: localized("Truant")
        case .halfAndHalf: localized("Half-and-half")
        case .ordinary: localized("Ordinary")
        case .guardian: localized("Guardian")
        case .friendsFavourite: localized("Friends' favourite")
        case .saint: localized("Saint")
        case .unknown: localized("Unknown")
        }
    }
}

extension PromiseSummary {
    /// The maker's name, or words if the node knows only the digits of their key.
    var shownMaker: String { PromiseText.name(makerName, of: maker) }
}
