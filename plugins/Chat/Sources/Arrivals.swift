internal import PluginKit

/// The messages that came since the node's start, in the order in which they came, for those who
/// follow: a message that was long on its way stands far up in its room, and is news all the same.
struct Arrivals: Sendable {
    /// One message that came.
    struct Arrival: Hashable, Sendable {
        let entity: EntityID
        let space: SpaceDescriptor
    }

    /// Tells this start of the node from others, so that a cursor of an earlier one is known.
    private let boot: Bytes16
    private var latest: [Arrival] = []
    private var known: Set<EntityID> = []
    /// How many came before the first that is kept.
    private var forgottenCount = 0

    /// Nothing came yet.
    init(boot: Bytes16) { self.boot = boot }

    /// Notes a message, unless it is among those noted: a rebuild tells of all anew.
    mutating func note(_ entity: EntityID, in space: SpaceDescriptor) {
        guard known.insert(entity).inserted else { return }
        latest.append(Arrival(entity: entity, space: space))
        guard latest.count > 2 * ChatLimits.arrivalsCountMax else { return }
        let gone = latest.prefix(latest.count - ChatLimits.arrivalsCountMax)
        known.subtract(gone.map(\.entity))
        forgottenCount += gone.count
        latest.removeFirst(gone.count)
    }

    /// Where those who begin to follow now stand.
    var cursor: String { cursor(after: forgottenCount + latest.count) }

    /// What came after a cursor, the oldest first, and the cursor behind it.
    /// - Returns: nothing for a cursor of an earlier start, or for none: following begins now.
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
