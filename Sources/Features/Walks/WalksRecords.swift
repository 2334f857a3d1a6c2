internal import FeaturesAPI
internal import PluginKit

extension Walks {
    static let manifest = Manifest(
        id: CoreFeatures.id, version: 1, collections: [walk],
        views: [Manifest.View("neighbours_accepted_walk", acceptedSQL)],
        events: [WalkEvents.changed.declaration],
        notices: [.init(inboxKind, help: "Walk requests, and how yours end.")],
        appointments: [WalkEvents.changed.declaration],
        services: [.mates, .inbox, .location, .files])

    /// A request to walk together: the sender's text never changes, the receiver answers once.
    static let walk = RecordCollection(
        "neighbours.walk/1", table: "neighbours_walk", spaces: [.pair],
        indexes: [["created_ms"]], isErasable: true,
        fields: [
            .init(1, "receiver", .key, merge: .firstWriter),
            .init(2, "latitude", .real, merge: .append),
            .init(3, "longitude", .real, merge: .append),
            .init(4, "place", .text(bytesMax: TextRule.locationName.bytesMax), merge: .append),
            .init(5, "message", .text(bytesMax: TextRule.message.bytesMax), merge: .append),
            .init(6, "created_ms", .integer(RecordTimes.milliseconds), merge: .append),
            .init(7, "at_ms", .integer(RecordTimes.milliseconds), merge: .append),
            .init(8, "cancelled", .boolean, merge: .firstWriter),
            .init(
                9, "answer", .text(bytesMax: ProfileField.wordBytesMax), merge: .firstWriter,
                writer: .named(inField: "receiver")),
            .init(
                10, "answer_age_ms", .integer(RecordTimes.milliseconds), merge: .firstWriter,
                writer: .named(inField: "receiver")),
            .init(
                11, "missed", .boolean, merge: .firstWriter, writer: .named(inField: "receiver")),
            // A detail that both arrange later, such as which gate; the later note counts.
            .init(12, "note", .text(bytesMax: TextRule.message.bytesMax), writer: .anyMember),
        ])

    /// The requests whose state is ``WalkRequest/State/accepted``, for other plugins: `entity`,
    /// `person` (the other side) and `at_ms` (the time of the walk). ``WalkFacts`` has the rule.
    private static let acceptedSQL = """
        SELECT w.entity AS entity, s.person AS person,
            coalesce(w.at_ms, w.created_ms) AS at_ms
        FROM neighbours_walk w JOIN waggle_space s ON s.space = w.space
        WHERE s.kind = 'pair' AND w.answer = 'accepted' AND coalesce(w.cancelled, 0) = 0
            AND w.answer_age_ms < coalesce(
                w.at_ms - w.created_ms, \(WalkFacts.open.milliseconds))
            AND s.person NOT IN (SELECT person FROM \(SharedViews.blocked))
        """
}
