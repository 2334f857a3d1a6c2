internal import FeaturesAPI
internal import PluginKit

extension Inbox {
    static let manifest = Manifest(
        id: CoreFeatures.id, version: 1, collections: [inbox],
        events: [InboxEvents.changed.declaration])

    /// An item that I should see, until I have handled it on any of my devices. Each device changes
    /// only the records that it made; see ``StoredItems``.
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
            // Written by versions for one device; it stands for posting 1.
            .init(7, "handled", .boolean, writer: .owner),
            .init(8, "person", .key, writer: .owner),
            // The title and the body as sentences, which a program can show in another language.
            .init(9, "sentences", .text(bytesMax: InboxLimits.sentencesBytesMax), writer: .owner),
            // How often it was posted; 0 in the record of a device that only handled it.
            .init(10, "posting", .integer(0...InboxLimits.postingMax), writer: .owner),
            // The last posting that was handled.
            .init(11, "handled_posting", .integer(0...InboxLimits.postingMax), writer: .owner),
            // The occasion of the last posting, if the item can be posted again.
            .init(12, "occasion", .text(bytesMax: InboxLimits.occasionBytesMax), writer: .owner),
        ])
}
