internal import PluginKit

/// The messages that arrived since the node's start, in order of arrival, for followers. A message
/// that was delayed is sorted far up in its room, and is still new to a follower.
struct Arrivals: Sendable {
    /// One message that arrived.
    struct Arrival: Hashable, Sendable {
        let entity: EntityID
        let space: SpaceDescriptor
    }

    /// Identifies this start of the node, so that a cursor of an earlier start is recognised.
    private let boot: Bytes16
    private var latest: [Arrival] = []
    private var known: Set<EntityID> = []
    /// The number of arrivals before the first one that is kept.
    private var forgottenCount = 0

    /// Creates an empty list.
    init(boot: Bytes16) { self.boot = boot }

    /// Records a message, unless it is already recorded: a rebuild reports all messages again.
    mutating func record(_ entity: EntityID, in space: SpaceDescriptor) {
        guard known.insert(entity).inserted else { return }
        latest.append(Arrival(entity: entity, space: space))
        guard latest.count > 2 * ChatLimits.arrivalsCountMax else { return }
        let gone = latest.prefix(latest.count - ChatLimits.arrivalsCountMax)
        known.subtract(gone.map(\.entity))
        forgottenCount += gone.count
        latest.removeFirst(gone.count)
    }

    /// The cursor for a follower who begins now.
    var cursor: String { cursor(after: forgottenCount + latest.count) }

    /// Returns the messages that arrived after a cursor, the oldest first, and the cursor behind
    /// them.
    /// - Returns: nothing if the cursor is missing or belongs to an earlier start: following begins
    ///   now.
    func after(_ cursor: String?, limit: Int) -> (arrivals: [Arrival], cursor: String) {
        guard let cursor, let count = count(cursor) else { return ([], self.cursor) }
        let start = min(max(count - forgottenCount, 0), latest.count)
        let arrivals = latest[start...].prefix(limit)
        return (
            Array(arrivals), self.cursor(after: forgottenCount + start + arrivals.count)
        )
    }

    private func cursor(after count: Int) -> String {
        Hexadecimal.text(boot.bytes) + "." + String(count)
    }

    private func count(_ cursor: String) -> Int? {
        let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == Hexadecimal.text(boot.bytes) else { return nil }
        return Int(parts[1]).flatMap { $0 < 0 ? nil : $0 }
    }
}
