public import PluginKit
internal import PromisesAPI

extension Promises {
    /// The declarations of the plugin: a record of each promise, one of each person in it, and one
    /// of each of my choices about sharing.
    public static let manifest = Manifest(
        id: "promises", version: 1, collections: [promise, attendance, sharing],
        views: [
            Manifest.View("promises_known", knownSQL),
            Manifest.View("promises_people", peopleSQL),
            Manifest.View("promises_titles", titlesSQL),
            Manifest.View("promises_names", namesSQL),
        ],
        ephemeralTopics: [topic], events: [PromiseEvents.changed.declaration],
        services: [.mates, .inbox, .location, .groups],
        groups: Manifest.GroupNaming(
            titlesView: "promises_titles", namesView: "promises_names"))

    /// The topic on which participants send their locations.
    static let topic = "promise"

    /// The promise, one record per group. Only its maker writes it.
    static let promise = RecordCollection(
        "promises.promise/1", table: "promises_promise", spaces: [.group],
        indexes: [["at_ms"], ["space", "creator"]], isOnePerPerson: true,
        fields: [
            .init(1, "title", .text(bytesMax: PromiseLimits.title.bytesMax), writer: .owner),
            .init(2, "at_ms", .integer(PromiseLimits.recorded), writer: .owner),
            // Both are always written together, so both come from the same edit.
            .init(3, "latitude", .real, writer: .owner),
            .init(4, "longitude", .real, writer: .owner),
            .init(5, "place", .text(bytesMax: PromiseLimits.locationName.bytesMax), writer: .owner),
            .init(
                6, "penalty", .integer(0...Int64(PromiseLimits.penalties.last ?? 0)), writer: .owner
            ),
            .init(7, "is_deleted", .boolean, writer: .owner),
        ])

    /// The facts that a person states about themselves: a name for people who are not their mates,
    /// the location and device of their departure, the time of their arrival, and their consent to
    /// be shown. There is one record per person, and another one for the new time if the promise is
    /// moved after they set out.
    static let attendance = RecordCollection(
        "promises.attendance/1", table: "promises_attendance", spaces: [.group],
        indexes: [["space", "creator"]],
        fields: [
            .init(1, "nickname", .text(bytesMax: TextRule.nickname.bytesMax)),
            .init(2, "departed_ms", .integer(PromiseLimits.recorded), merge: .firstWriter),
            .init(3, "departed_latitude", .real, merge: .firstWriter),
            .init(4, "departed_longitude", .real, merge: .firstWriter),
            .init(5, "arrived_ms", .integer(PromiseLimits.recorded), merge: .firstWriter),
            .init(6, "departed_device", .key, merge: .firstWriter),
            // The promise's time that the person agreed to last, and the same time if that consent
            // has ended.
            .init(7, "agreed_ms", .integer(PromiseLimits.recorded)),
            .init(8, "withdrawn_ms", .integer(PromiseLimits.recorded)),
        ])

    /// My choice about sharing my location for a promise; the last one counts. If another device of
    /// mine had set out, the record names the device that continues, and the promise's time at that
    /// moment.
    static let sharing = RecordCollection(
        "promises.sharing/1", table: "promises_sharing", spaces: [.own],
        indexes: [["promise"]],
        fields: [
            .init(1, "promise", .bytes(countMax: 32), merge: .append),
            .init(2, "is_wanted", .boolean, writer: .owner),
            .init(3, "device", .key, merge: .append),
            .init(4, "at_ms", .integer(PromiseLimits.recorded), merge: .append),
        ])
}

extension Promises {
    /// Each promise as its maker wrote it.
    private static let knownSQL = """
        SELECT p.space AS space, s.id AS id, s.descriptor AS descriptor, s.person AS maker,
            p.title AS title, p.at_ms AS at_ms, p.latitude AS latitude, p.longitude AS longitude,
            p.place AS place, p.penalty AS penalty, p.is_deleted AS is_deleted
        FROM promises_promise p JOIN waggle_space s ON s.space = p.space
        WHERE s.kind = 'group' AND p.creator = s.person AND p.title IS NOT NULL
            AND p.at_ms IS NOT NULL AND p.penalty IS NOT NULL
            AND p.latitude BETWEEN -90 AND 90 AND p.longitude BETWEEN -180 AND 180
        """

    /// Everybody who is or was asked, with what they state about themselves. The first departure
    /// and the first arrival within the present time of the promise count; those declared for
    /// another time, before the promise was moved, do not.
    private static let peopleSQL = """
        SELECT m.space AS space, m.person AS person, m.state AS state,
            (SELECT a.nickname FROM promises_attendance a WHERE a.space = m.space
                AND a.creator = m.person AND a.nickname IS NOT NULL
                ORDER BY a.entity LIMIT 1) AS nickname,
            d.departed_ms AS departed_ms, d.departed_latitude AS departed_latitude,
            d.departed_longitude AS departed_longitude, d.departed_device AS departed_device,
            (SELECT MIN(a.arrived_ms) FROM promises_attendance a
                JOIN promises_known k ON k.space = a.space
                WHERE a.space = m.space AND a.creator = m.person
                AND \(isWithin("a.arrived_ms"))) AS arrived_ms,
            c.agreed_ms AS agreed_ms, c.withdrawn_ms AS withdrawn_ms
        FROM waggle_member m LEFT JOIN promises_attendance d ON d.space = m.space
            AND d.entity = (SELECT a.entity FROM promises_attendance a
                JOIN promises_known k ON k.space = a.space
                WHERE a.space = m.space AND a.creator = m.person
                AND \(isWithin("a.departed_ms"))
                ORDER BY a.departed_ms, a.entity LIMIT 1)
        LEFT JOIN promises_attendance c ON c.space = m.space
            AND c.entity = (SELECT a.entity FROM promises_attendance a
                WHERE a.space = m.space AND a.creator = m.person AND a.agreed_ms IS NOT NULL
                ORDER BY a.agreed_ms DESC, a.entity LIMIT 1)
        """

    /// Whether a moment lies within the time in which a promise `k` is tracked.
    private static func isWithin(_ moment: String) -> String {
        "\(moment) >= k.at_ms - \(PromiseLimits.tracking.milliseconds) "
            + "AND \(moment) < k.at_ms + \(PromiseLimits.past.milliseconds)"
    }

    /// The titles under which other plugins, such as a chat, show the group of a promise; also of
    /// promises that were called off.
    private static let titlesSQL = """
        SELECT space, title, coalesce(is_deleted, 0) AS is_over FROM promises_known
        """

    private static let namesSQL = """
        SELECT space, person, nickname AS name FROM promises_people WHERE nickname IS NOT NULL
        """
}
