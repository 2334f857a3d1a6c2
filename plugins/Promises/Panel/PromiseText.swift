import Foundation

/// What the page says of promises and their people: values, so that each can be looked at alone.
enum PromiseText {
    /// After this many seconds a position may no longer be true.
    static let staleSeconds: Int64 = 120

    /// "Sat 21 Nov, 18:00" where this window is.
    static func when(_ ms: Int64, in zone: TimeZone = .autoupdatingCurrent) -> String {
        let formatter = DateFormatter()
        formatter.timeZone = zone
        formatter.setLocalizedDateFormatFromTemplate("EEEdMMMjjmm")
        return formatter.string(from: Date(timeIntervalSince1970: Double(ms) / 1000))
    }

    /// How far a promise is and what it costs, on one line.
    static func detail(of promise: PromiseSummary, when: String) -> String {
        let people = promise.peopleCount == 1 ? "you alone so far" : "\(promise.peopleCount) people"
        let penalty = promise.penalty == 0 ? nil : "late: \(promise.penalty) potatoes"
        return [when, promise.place, people, penalty].compactMap { $0 }.joined(separator: " · ")
    }

    /// What is to be known of it now.
    static func state(of promise: PromiseSummary) -> String {
        if promise.state == "invited" { return "\(promise.makerName) asks you" }
        switch promise.phase {
        case "tracking": return sharing(promise.sharing)
        case "past": return "Past"
        case "deleted": return "Called off"
        default: return promise.mine ? "You made it" : "You take part"
        }
    }

    private static func sharing(_ state: String) -> String {
        switch state {
        case "sharing": "Now: the others see where you are"
        case "searching": "Now: nobody knows where you are"
        case "stopped": "Now: you are not shown, and your arrival is not noted"
        case "interrupted": "Now: you are not shown since a restart"
        case "elsewhere": "Now: another device of yours shows where you are"
        case "arrived": "You have arrived"
        default: "Now"
        }
    }

    /// How somebody stands, on one line.
    /// - Parameter ageSeconds: how old their position is now; nil without one.
    static func line(of person: PromisePerson, ageSeconds: Int64?) -> String {
        guard person.state == "member" else { return standing(person.state) }
        if let rank = person.rank {
            let medal = person.medal.map { "\($0) medal, " } ?? ""
            return "#\(rank) · \(medal)\(person.latenessText ?? "")"
        }
        if person.lateness == "noShow" { return "did not come" }
        guard let ageSeconds, let remaining = person.remaining else {
            return person.departedMs == nil ? "not on the way yet" : "position not known"
        }
        guard ageSeconds <= staleSeconds else {
            return "no position for \(ageSeconds / 60) min (\(remaining) then)"
        }
        return "\(remaining) to go · \(age(ageSeconds))"
    }

    private static func standing(_ state: String) -> String {
        switch state {
        case "invited": "has not answered"
        case "left": "declined or left"
        default: "takes no part"
        }
    }

    private static func age(_ seconds: Int64) -> String {
        seconds < 10 ? "just now" : seconds < 60 ? "\(seconds / 10 * 10) s ago"
            : "\(seconds / 60) min ago"
    }

    /// What somebody owes and how well they keep promises. Never rounded up: nearly all kept is not
    /// all, and titles begin at whole numbers.
    static func ledger(_ person: LedgerPerson) -> String {
        let kept = person.keptPercent.map { "\(Int($0.rounded(.down))) % kept" } ?? "none past yet"
        return "\(person.title) · \(kept) · owes \(person.owes) potatoes"
    }
}
