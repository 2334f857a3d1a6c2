import Contract
import PromisesAPI

/// An action on a promise.
enum PromiseAction: Equatable, Sendable {
    case accept, confirm, decline, leave, delete, change, share, stop

    /// The action in words.
    var name: String {
        switch self {
        case .accept: localized("Accept")
        case .confirm: localized("Confirm")
        case .decline: localized("Decline")
        case .leave: localized("Leave")
        case .delete: localized("Call off")
        case .change: localized("Change")
        case .share: localized("Show where I am")
        case .stop: localized("Stop showing me")
        }
    }

    /// The question that is asked first if the action ends something for good; nil if it does not.
    var question: String? {
        switch self {
        case .leave: localized("Only the person who made it can invite you again.")
        case .delete: localized("This ends it for everyone and cannot be undone.")
        default: nil
        }
    }

    /// The text of a button or a menu entry; dots say that more is asked.
    var title: String { question == nil && self != .change ? name : name + "…" }

    /// The actions at a moment, from the safe one to the suggested one. Once a participant has
    /// arrived, the maker can no longer change the promise; a participant who has arrived can no
    /// longer leave.
    static func all(
        for promise: PromiseSummary, people: [PromisePerson] = [], now: Timestamp
    ) -> [PromiseAction] {
        guard promise.phase == .scheduled || promise.phase == .tracking else { return [] }
        let isAhead = now < promise.atMs
        switch promise.state {
        case .invited: return isAhead ? [.decline, .accept] : [.decline]
        case .member: break
        case .left, .removed, .unknown, nil: return []
        }
        let isOpen = people.allSatisfy { $0.rank == nil || !promise.mine && !$0.me }
        let end: [PromiseAction] =
            !isAhead || !isOpen ? [] : promise.mine ? [.delete, .change] : [.leave]
        switch promise.sharing {
        case .sharing, .searching: return end + [.stop]
        case .stopped, .interrupted: return end + [.share]
        case .elsewhere: return end + [.stop, .share]
        // A person who has not agreed to the time may leave even after it.
        case .unconfirmed: return [.leave, .confirm]
        case .idle, .outside, .arrived, .unknown: return end
        }
    }
}

/// The actions on a promise in two parts: the answers to a question have buttons, the others are in
/// a menu.
struct PromiseActions: Equatable, Sendable {
    let buttons: [PromiseAction]
    let menu: [PromiseAction]

    /// Divides the actions at a moment.
    init(for promise: PromiseSummary, people: [PromisePerson], now: Timestamp) {
        let all = PromiseAction.all(for: promise, people: people, now: now)
        let answers: [PromiseAction] = [.accept, .decline, .confirm, .share]
        buttons = all.filter { action in
            answers.contains(action) || action == .leave && all.contains(.confirm)
        }
        let shown = buttons
        menu = all.filter { !shown.contains($0) }.reversed()
    }
}
