internal import FeaturesAPI
internal import PluginKit

/// An item of the inbox that a list may show: a stored one, or one that waits to be stored.
struct ListedItem: Sendable {
    let id: EntityID
    let kind: InboxKind
    let reference: String
    let title: Sentence
    let body: Sentence
    let at: Timestamp
    let isHandled: Bool
    let actions: [String]
    let person: PersonID?

    /// Reads a row of ``StoredItems/list()``; nil if it has no kind.
    init?(_ row: Row) {
        guard let id = row.entity("entity"),
            let kind = row.text("kind").flatMap({ try? InboxKind($0) })
        else { return nil }
        self.id = id
        self.kind = kind
        reference = row.text("reference") ?? ""
        let sentences = row.text("sentences").flatMap(InboxSentences.init(stored:))
        title = InboxSentences.sentence(sentences?.title, of: row.text("title") ?? kind.string)
        body = InboxSentences.sentence(sentences?.body, of: row.text("body") ?? "")
        at = Timestamp(milliseconds: row.integer("at_ms") ?? 0)
        isHandled = row.isTrue("is_handled")
        actions = row.texts("actions") ?? []
        person = row.person("person")
    }

    /// Takes over an item that waits.
    init(_ waiting: WaitingItems.Waiting) {
        id = waiting.id
        (kind, reference) = (waiting.item.kind, waiting.item.reference)
        (title, body) = (waiting.item.title, waiting.item.body)
        (at, isHandled) = (waiting.at, waiting.isHandled)
        (actions, person) = (waiting.item.actions, waiting.item.person)
    }

    /// Returns as many items as a list shows, each person's first ones before others' later ones.
    static func fair(_ items: [ListedItem]) -> [ListedItem] {
        guard items.count > InboxLimits.listedCountMax else { return items }
        var turns: [PersonID?: Int] = [:]
        let inTurn = items.enumerated().map { index, item in
            turns[item.person, default: 0] += 1
            return (turn: turns[item.person] ?? 0, index: index, item: item)
        }
        return inTurn.sorted { ($0.turn, $0.index) < ($1.turn, $1.index) }
            .prefix(InboxLimits.listedCountMax).map(\.item)
    }

    /// Returns the item as answers have it, with the text of the feature's own records if it has
    /// one.
    func answer(_ text: InboxText?) -> InboxList.Item {
        let canAct = (text?.canAct ?? true) && !isHandled
        return InboxList.Item(
            id: RecordKey(id), kind: kind,
            title: InboxLimits.title.clip(text?.title ?? title) ?? Sentence(verbatim: kind.string),
            body: InboxLimits.body.clip(text?.body ?? body) ?? "", atMs: at, handled: isHandled,
            actions: canAct ? actions : [], ref: reference, person: person.map { Key($0) })
    }
}
