internal import FeaturesAPI
internal import PluginKit
internal import Synchronization

/// The inbox items that strangers caused. They are shown and never stored, and gone after a
/// restart, like their cause.
final class ShownItems: Sendable {
    /// One item and when it was first shown.
    struct Shown: Sendable {
        let id: EntityID
        let item: InboxItem
        let at: Timestamp

        /// The item as answers have it.
        var answer: InboxList.Item {
            InboxList.Item(
                id: RecordKey(id), kind: item.kind,
                title: InboxLimits.title.clip(item.title) ?? Sentence(verbatim: item.kind.string),
                body: InboxLimits.body.clip(item.body) ?? "",
                atMs: at, handled: false,
                actions: Array(item.actions.prefix(InboxLimits.actionsCountMax)),
                ref: item.reference, person: item.person.map { Key($0) })
        }
    }

    private let items = Mutex<[Shown]>([])

    var isEmpty: Bool { items.withLock(\.isEmpty) }

    /// The items, oldest first.
    var all: [Shown] { items.withLock(\.self) }

    /// Adds an item in place of the one of the same kind and reference. If there are too many, the
    /// oldest is removed.
    /// - Returns: the kinds of removed items.
    func put(_ item: InboxItem, id: EntityID, at time: Timestamp) -> [InboxKind] {
        items.withLock { items in
            items.removeAll {
                $0.item.kind == item.kind && $0.item.reference == item.reference
            }
            items.append(Shown(id: id, item: item, at: time))
            guard items.count > InboxLimits.shownCountMax else { return [] }
            return [items.removeFirst().item.kind]
        }
    }

    /// Removes items.
    /// - Returns: their kinds.
    func remove(where isGone: (Shown) -> Bool) -> [InboxKind] {
        items.withLock { items in
            defer { items.removeAll(where: isGone) }
            return items.filter(isGone).map(\.item.kind)
        }
    }
}
