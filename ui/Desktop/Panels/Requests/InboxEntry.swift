import Contract
import FeaturesAPI

/// One row of the inbox.
struct InboxEntry: Equatable, Sendable {
    /// The thing that a row is about.
    enum Subject: Equatable, Sendable {
        /// A walk request, and the items about it: that it was made, and how it ended.
        case walk(WalkRequest, [InboxList.Item])
        /// An item of another feature.
        case item(InboxList.Item)
    }

    /// The part of the inbox that a row belongs to; rows are sorted by it first.
    enum Standing: Int, CaseIterable, Sendable {
        /// Someone waits for this user's answer. The badge counts these rows.
        case waitsForMe
        /// Something happened that needs no answer, and the user has not dismissed it.
        case news
        /// The user waits for the answer of another person.
        case waitsForOthers
        case handled
    }

    let subject: Subject
    let standing: Standing

    /// Creates the row of a walk request with the items about it.
    /// - Parameter dismissed: the items that the user has just dismissed.
    init(_ request: WalkRequest, items: [InboxList.Item], dismissed: Set<RecordKey> = []) {
        subject = .walk(request, items)
        let hasNews = items.contains { !$0.handled && !dismissed.contains($0.id) }
        standing =
            if request.awaitsMyAnswer {
                .waitsForMe
            } else if request.state.isOpen {
                .waitsForOthers
            } else {
                hasNews ? .news : .handled
            }
    }

    /// Creates the row of an item.
    init(_ item: InboxList.Item, dismissed: Set<RecordKey> = []) {
        subject = .item(item)
        standing =
            if item.handled || dismissed.contains(item.id) {
                .handled
            } else {
                item.actions.isEmpty ? .news : .waitsForMe
            }
    }

    /// The id of the request, or of the item.
    var id: RecordKey {
        switch subject {
        case .walk(let request, _): request.id
        case .item(let item): item.id
        }
    }

    /// The person that it is about; nil if there is none.
    var person: Key? {
        switch subject {
        case .walk(let request, _): request.person
        case .item(let item): item.person
        }
    }

    /// The items that are marked as handled when the row is dismissed.
    var unhandled: [InboxList.Item] {
        switch subject {
        case .walk(_, let items): items.filter { !$0.handled }
        case .item(let item): item.handled ? [] : [item]
        }
    }

    /// The time of the latest news.
    var at: Timestamp {
        switch subject {
        case .walk(let request, let items):
            items.map(\.atMs).reduce(request.createdMs, max)
        case .item(let item): item.atMs
        }
    }

    /// Whether the row can be dismissed without an answer, because no person waits for one.
    var canBeDismissed: Bool { standing == .news }
}
