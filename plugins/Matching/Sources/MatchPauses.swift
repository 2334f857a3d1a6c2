internal import MatchingAPI
internal import PluginKit

/// The pause before this person can look again, which follows from the matches that they ended.
///
/// A clock that was set back never makes the pause longer than its cost. If it was set back by more
/// than the cost, there is no pause.
struct MatchPauses: Hashable, Sendable {
    /// The number of matches that I ended while they stood.
    let cancelCount: Int
    private let last: Timestamp?

    /// Counts the cancels.
    init(_ matches: [StoredAgreement]) {
        let cancels = matches.compactMap(\.cancelled)
        cancelCount = cancels.count
        last = cancels.max()
    }

    /// Returns the time that is left.
    func left(now: Timestamp) -> Duration {
        guard let last, cancelCount > 0 else { return .zero }
        let costs = MatchingCommands.cancelPauses
        let cost = costs[min(cancelCount, costs.count) - 1]
        let left = cost - (now - last)
        return left > cost * 2 ? .zero : max(.zero, min(cost, left))
    }
}
