internal import ChatAPI
public import PluginKit

extension Chat {
    /// The chat's declarations: messages, how far each person has read, and the messages I hid.
    public static let manifest = Manifest(
        id: "chat", version: 1, collections: [message, reading, hidden],
        views: [
            Manifest.View("chat_shown", shownSQL), Manifest.View("chat_reach", reachSQL),
        ],
        events: [ChatEvents.changed.declaration],
        notices: [.init(inboxKind, help: "Chat messages.")], services: [.mates, .inbox, .groups])

    /// A message: one row that its author writes once, and that can be erased alone. Its photo is
    /// content beside the record; see ``MessagePhoto``.
    static let message = RecordCollection(
        "chat.message/1", table: "chat_message", spaces: [.pair, .group],
        indexes: [["space", "stamp", "creator"], ["space", "log", "number"]],
        isErasable: true, searched: ["text"],
        fields: [
            .init(1, "text", .text(bytesMax: ChatLimits.text.bytesMax), merge: .append),
            .init(
                2, "photo",
                .blob(kinds: [EncodedPhoto.kind], bytesMax: PhotoLimits.chatBytesMax),
                merge: .append),
            .init(
                3, "thumbnail", .bytes(countMax: PhotoLimits.thumbnailBytesMax), merge: .append),
            .init(4, "width", .integer(ChatLimits.photoSides), merge: .append),
            .init(5, "height", .integer(ChatLimits.photoSides), merge: .append),
        ])

    /// A record of how far a person has read one log of another person's device; without a branch,
    /// the device's main log. A device begins a new log, numbered from 1, when its person comes
    /// back to a group.
    ///
    /// A record counts batches, not times: a message that arrives late has an earlier date than
    /// messages that are already read, and is still unread. A person may have several such records
    /// for one log. The highest number counts, so that no device makes messages unread that another
    /// has read.
    static let reading = RecordCollection(
        "chat.reading/1", table: "chat_reading", spaces: [.pair, .group],
        indexes: [["space", "device", "branch", "creator", "reached"]],
        fields: [
            .init(1, "device", .key, merge: .append),
            .init(2, "reached", .integer(0...Int64(Limits.batchNumberMax))),
            .init(3, "branch", .bytes(countMax: Bytes32.bytesCount), merge: .append),
        ])

    /// A message that is hidden from me on all my devices.
    static let hidden = RecordCollection(
        "chat.hidden/1", table: "chat_hidden", spaces: [.own], indexes: [["message"]],
        fields: [.init(1, "message", .bytes(countMax: Bytes16.bytesCount), merge: .append)])
}

extension Chat {
    /// The messages that are shown.
    private static let shownSQL = """
        SELECT m.space AS space, m.entity AS entity, m.creator AS creator, m.stamp AS stamp,
            m.log AS log, m.number AS number, m.text AS text,
            m.photo AS photo, m.thumbnail AS thumbnail, m.width AS width, m.height AS height
        FROM chat_message m
        WHERE m.text IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM chat_hidden h WHERE h.message = m.entity)
            AND m.creator NOT IN (SELECT person FROM host_blocked)
        """

    /// The last number that I have read of each log of others.
    private static let reachSQL = """
        SELECT l.space AS space, l.log AS log, l.device AS device, l.branch AS branch,
            l.person AS person,
            (SELECT coalesce(max(r.reached), 0) FROM chat_reading r
                WHERE r.space = l.space AND r.device = l.device AND r.branch IS l.branch
                    AND r.creator = me.person) AS reached
        FROM waggle_log l, (SELECT person FROM waggle_space WHERE kind = 'self') AS me
        WHERE l.person <> me.person
        """
}
