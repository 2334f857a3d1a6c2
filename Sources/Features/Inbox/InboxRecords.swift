internal import FeaturesAPI
internal import PluginKit

extension Inbox {
    static let manifest = Manifest(
        id: CoreFeatures.id, version: 1, collections: [inbox],
        events: [InboxEvents.changed.declaration])

    /// An item that I should see, until I have handled it.
    static let inbox = RecordCollection(
        "neighbours.inbox/1", table: "neighbours_inbox", spaces: [.own],
        indexes: [["kind", "reference"]],
        fields: [
            .init(1, "kind", .text(bytesMax: InboxKind.bytesMax), merge: .append),
            .init(2, "reference", .text(bytesMax: InboxLimits.referenceBytesMax), merge: .append),
            .init(3, "title", .text(bytesMax: InboxLimits.title.bytesMax), writer: .owner),
            .init(4, "body", .text(bytesMax: InboxLimits.body.bytesMax), writer: .owner),
            .init(
                5, "actions",
                .texts(countMax: InboxLimits.actionsCountMax, bytesMax: InboxLimits.wordBytesMax),
                writer: .owner),
            .init(6, "at_ms", .integer(RecordTimes.milliseconds), writer: .owner),
            .init(7, "handled", .boolean, writer: .owner),
            .init(8, "person", .key, writer: .owner),
            // The title and the body as sentences, which a program can show in another language.
            .init(9, "sentences", .text(bytesMax: InboxLimits.sentencesBytesMax), writer: .owner),
        ])
}
