import Contract
import PanelKit

/// The fields of a card as text, in the order in which people read them.
struct CardFields: Equatable, Sendable {
    /// One field, ready to be shown.
    struct Row: Equatable, Sendable {
        var label: String
        var value: String
    }

    /// The fields that have a value.
    var rows: [Row]

    static let none = CardFields(rows: [])
}

extension CardFields {
    /// The fields of a card.
    init(_ card: ShownProfile) {
        let name = card.nickname.map { Row(label: localized("Name"), value: $0.string) }
        rows =
            [name].compactMap { $0 }
            + card.rows.map { Row(label: $0.field.label, value: $0.text) }
    }
}
