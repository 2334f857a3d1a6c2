internal import PluginKit
internal import Synchronization

/// The inbox items that wait until they may be stored; see ``CausedWrites``. The inbox shows them
/// like stored ones. They are gone after a restart, when the features post their items again.
final class WaitingItems: Sendable {
    /// One item, and when it was posted.
    struct Waiting: Sendable {
        /// The id by which a command names it while it waits.
        var id = EntityID(raw: .zero)
        let item: InboxItem
        let at: Timestamp
        /// The number of this posting of the item.
        let posting: Int64
        /// Whether it was settled meanwhile.
        var isHandled = false

        var cause: CausedWrites.Cause { CausedWrites.Cause(item) }
    }

    private let items = Mutex<[Waiting]>([])

    /// The items, oldest first.
    var all: [Waiting] { items.withLock(\.self) }

    /// Adds an item in place of the one of the same kind and reference. If there are too many, the
    /// oldest is removed: of the same cause, or of the cause with most.
    /// - Returns: the kinds of removed items.
    func put(_ new: Waiting) -> [InboxKind] {
        items.withLock { items in
            items.removeAll { $0.item.isSame(as: new.item) }
            items.append(new)
            var removed: [InboxKind] = []
            while let cause = Self.crowded(items, by: new.cause),
                let oldest = items.firstIndex(where: { $0.cause == cause })
            {
                removed.append(items.remove(at: oldest).item.kind)
            }
            return removed
        }
    }

    private static func crowded(
        _ items: [Waiting], by cause: CausedWrites.Cause
    ) -> CausedWrites.Cause? {
        if items.count(where: { $0.cause == cause }) > InboxLimits.waitingPerPersonMax {
            return cause
        }
        guard items.count > InboxLimits.waitingCountMax else { return nil }
        let counts = Dictionary(items.map { ($0.cause, 1) }, uniquingKeysWith: +)
        let most = counts.values.max()
        return items.first { counts[$0.cause] == most }?.cause
    }

    /// Marks the items of a reference as handled.
    /// - Returns: their kinds.
    func settle(reference: String) -> [InboxKind] {
        items.withLock { items in
            var kinds: [InboxKind] = []
            for index in items.indices
            where items[index].item.reference == reference && !items[index].isHandled {
                items[index].isHandled = true
                kinds.append(items[index].item.kind)
            }
            return kinds
        }
    }

    /// Removes an item.
    /// - Returns: it as it is now, or nil if it was removed or replaced before.
    func remove(_ id: EntityID) -> Waiting? {
        items.withLock { items in
            items.firstIndex { $0.id == id }.map { items.remove(at: $0) }
        }
    }
}

extension CausedWrites.Cause {
    /// The cause of an item: the person it comes from.
    init(_ item: InboxItem) {
        self = item.person.map { .person($0) } ?? .nobody(item.kind)
    }
}

extension InboxItem {
    /// The item with texts, actions and a person as the inbox stores them.
    var clipped: InboxItem {
        InboxItem(
            kind: kind, reference: reference,
            title: InboxLimits.title.clip(title) ?? Sentence(verbatim: kind.string),
            body: InboxLimits.body.clip(body) ?? "",
            actions: Array(actions.prefix(InboxLimits.actionsCountMax)), from: person,
            occasion: occasion)
    }

    /// The room that the item takes in a batch, and more.
    var bytesCount: Int {
        InboxLimits.fieldsBytesMax + title.english.utf8.count + body.english.utf8.count
            + (InboxSentences(self).stored?.utf8.count ?? 0)
    }

    /// Whether one of two items replaces the other.
    func isSame(as other: InboxItem) -> Bool {
        kind == other.kind && reference == other.reference
    }
}
