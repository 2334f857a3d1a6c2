/// What can be done about a promise.
enum PromiseAction: String, Equatable, Sendable {
    case accept = "Accept"
    case decline = "Decline"
    case leave = "Leave"
    case delete = "Call off"
    case change = "Change"
    case share = "Show where I am"
    case stop = "Stop showing me"

    /// The verb of the command.
    var verb: String {
        switch self {
        case .accept: "accept"
        case .decline, .leave: "leave"
        case .delete: "delete"
        case .change: "edit"
        case .share: "share"
        case .stop: "stop"
        }
    }

    /// Whether it ends something.
    var isDestructive: Bool { question != nil }

    /// What is asked first where it ends something for good; nil where it does not.
    var question: String? {
        switch self {
        case .leave: "Take part no more? Only its maker can ask you again."
        case .delete: "Call it off for everybody? That cannot be undone."
        default: nil
        }
    }

    /// What can be done at a moment in milliseconds since 1970, from the safe to the asked for.
    /// Once somebody has arrived, its maker changes it no more; who has arrived leaves no more.
    static func all(
        for promise: PromiseSummary, people: [PromisePerson] = [], nowMs: Int64
    ) -> [PromiseAction] {
        guard promise.phase == "scheduled" || promise.phase == "tracking" else { return [] }
        let isAhead = nowMs < promise.atMs
        switch promise.state {
        case "invited": return isAhead ? [.decline, .accept] : [.decline]
        case "member": break
        default: return []
        }
        let isOpen = people.allSatisfy { $0.rank == nil || !promise.mine && !$0.me }
        let end: [PromiseAction] =
            !isAhead || !isOpen ? [] : promise.mine ? [.delete, .change] : [.leave]
        switch promise.sharing {
        case "sharing", "searching": return end + [.stop]
        case "stopped", "interrupted": return end + [.share]
        case "elsewhere": return end + [.stop, .share]
        default: return end
        }
    }
}

/// The body of an action on one promise.
struct PromiseReference: Encodable, Equatable, Sendable {
    var promise: String
}
