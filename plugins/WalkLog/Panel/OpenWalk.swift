import Contract
import PanelKit
import WalkLogAPI

/// The walk whose page is open.
enum OpenWalk: Equatable, Sendable {
    /// A walk of the user.
    case mine(RecordedWalk)
    /// A walk that a mate shows.
    case mates(SharedWalk)

    /// The id of the walk, or of what the mate shows.
    var id: RecordKey {
        switch self {
        case .mine(let walk): walk.id
        case .mates(let walk): walk.id
        }
    }

    /// The time at which the walk began.
    var startedMs: Timestamp {
        switch self {
        case .mine(let walk): walk.startedMs
        case .mates(let walk): walk.startedMs
        }
    }

    /// The walk of the user; nil for a mate's.
    var mine: RecordedWalk? { if case .mine(let walk) = self { walk } else { nil } }

    /// Returns the title of its page.
    func title(now: Timestamp) -> String {
        let time = startedMs.dayAndTime(now: now)
        guard case .mates(let walk) = self else { return time }
        return localized("\(walk.mate.shownName) · \(time)")
    }
}
