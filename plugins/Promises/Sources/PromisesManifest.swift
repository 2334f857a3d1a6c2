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
        notices: [
            .init(PromiseNotice.kind, help: "Invitations, reminders, arrivals and results.")
        ],
        appointments: [PromiseEvents.changed.declaration],
        services: [.mates, .inbox, .location, .groups, .files],
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
    /// be shown. Each person has one record. Departure and arrival are written once. If the promise
    /// is moved after that, the last departure and arrival for another time are in fields of their
    /// own, so a record has the same size however often a promise is moved.
    static let attendance = RecordCollection(
        "promises.attendance/1", table: "promises_attendance", spaces: [.group],
        indexes: [["space", "creator"]], isOnePerPerson: true,
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
            .init(9, "again_departed_ms", .integer(PromiseLimits.recorded)),
            .init(10, "again_departed_latitude", .real),
            .init(11, "again_departed_longitude", .real),
            .init(12, "again_arrived_ms", .integer(PromiseLimits.recorded)),
            .init(13, "again_departed_device", .key),
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
        SELECT space, person, state, nickname,
            CASE WHEN is_again THEN again_departed_ms WHEN is_first THEN departed_ms
                END AS departed_ms,
            CASE WHEN is_again THEN again_departed_latitude WHEN is_first THEN departed_latitude
                END AS departed_latitude,
            CASE WHEN is_again THEN again_departed_longitude WHEN is_first THEN departed_longitude
                END AS departed_longitude,
            CASE WHEN is_again THEN again_departed_device WHEN is_first THEN departed_device
                END AS departed_device,
            arrived_ms, agreed_ms, withdrawn_ms
        FROM (SELECT k.space AS space, k.person AS person, k.state AS state,
                a.nickname AS nickname, a.departed_ms AS departed_ms,
                a.departed_latitude AS departed_latitude,
                a.departed_longitude AS departed_longitude,
                a.departed_device AS departed_device, a.again_departed_ms AS again_departed_ms,
                a.again_departed_latitude AS again_departed_latitude,
                a.again_departed_longitude AS again_departed_longitude,
                a.again_departed_device AS again_departed_device,
                \(isWithin("a.departed_ms")) AS is_first,
                \(isWithin("a.again_departed_ms")) AND (NOT (\(isWithin("a.departed_ms")))
                    OR a.departed_ms IS NULL OR a.again_departed_ms < a.departed_ms) AS is_again,
                CASE WHEN \(isWithin("a.arrived_ms")) AND NOT coalesce(
                        \(isWithin("a.again_arrived_ms")) AND a.again_arrived_ms < a.arrived_ms, 0)
                    THEN a.arrived_ms
                    WHEN \(isWithin("a.again_arrived_ms")) THEN a.again_arrived_ms
                    END AS arrived_ms,
                a.agreed_ms AS agreed_ms,
                CASE WHEN a.agreed_ms IS NOT NULL THEN a.withdrawn_ms END AS withdrawn_ms
            FROM (SELECT m.space AS space, m.person AS person, m.state AS state,
                    (SELECT k.at_ms FROM promises_known k WHERE k.space = m.space) AS at_ms
                FROM waggle_member m) k
            LEFT JOIN promises_attendance a ON a.space = k.space AND a.creator = k.person)
        """

    /// Whether a moment lies within the time in which a promise `k` is tracked.
    private static func isWithin(_ moment: String) -> String {
        "\(moment) >= k.at_ms - \(PromiseLimits.tracking.milliseconds) "
            + "AND \(moment) < k.at_ms + \(PromiseLimits.past.milliseconds)"
    }

    /// The titles under which other plugins, such as a chat, show the group of a promise; also of
    /// promises that are past, or were called off.
    private static let titlesSQL = """
        SELECT space, title, CASE WHEN is_deleted THEN 0
            ELSE at_ms + \(PromiseLimits.past.milliseconds) END AS over_ms FROM promises_known
        """

    private static let namesSQL = """
        SELECT space, person, nickname AS name FROM promises_people WHERE nickname IS NOT NULL
        """
}
