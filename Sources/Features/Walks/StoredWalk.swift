internal import FeaturesAPI
internal import PluginKit

/// A walk request as it is stored.
struct StoredWalk: Hashable, Sendable {
    let id: EntityID
    /// The other side.
    let person: PersonID
    let point: Point
    let locationName: String?
    let message: String
    /// The later of the notes that the two people wrote on it.
    let note: String?
    let facts: WalkFacts
    /// Whether it reached this node too late and no record says so yet.
    let isMissedUnrecorded: Bool

    /// Reads a row of a query here; nil if the record is not a request between the two of us.
    init?(_ row: Row, me: PersonID, devices: Set<DeviceID>) {
        guard let id = row.entity("entity"), let other = row.person("other"),
            let creator = row.person("creator"), let receiver = row.person("receiver"),
            Set([creator, receiver]) == Set([me, other]), me != other,
            let created = row.integer("created_ms").flatMap({ Timestamp(exactly: $0) }),
            let latitude = row.real("latitude"), let longitude = row.real("longitude"),
            let point = try? Point(latitude: latitude, longitude: longitude),
            let message = row.text("message").flatMap(TextRule.message.clip)
        else { return nil }
        self.id = id
        self.person = other
        self.point = point
        self.message = message
        locationName = row.text("place").flatMap(TextRule.locationName.clip)
        note = row.text("note").flatMap(TextRule.message.clip)
        let arrived = row.integer("arrived").map { Timestamp(milliseconds: $0) }
        // A sender's clock that runs ahead must not keep a request open for ever.
        let latest = creator == me ? nil : arrived.map { $0 + WalkFacts.open }
        var facts = WalkFacts(
            direction: creator == me ? .sent : .received,
            created: min(created, latest ?? created),
            at: row.integer("at_ms").flatMap { Timestamp(exactly: $0) },
            isDelivered: row.isTrue("acknowledged") || row.text("answer") != nil,
            isOfOtherDevice: creator == me
                && row.device("device").map { !devices.contains($0) } ?? false,
            isCancelled: row.isTrue("cancelled"),
            answer: row.text("answer").flatMap(WalkFacts.Answer.init),
            answerAge: row.integer("answer_age_ms").flatMap {
                RecordTimes.milliseconds.contains($0) ? .milliseconds($0) : nil
            },
            wasMissed: row.isTrue("missed"))
        // The inbox shows it since it arrived at the first of my devices.
        let told = row.integer("told_ms").map { Timestamp(milliseconds: $0) }
        let first = [arrived, told].compactMap { $0 }.min()
        isMissedUnrecorded =
            first.map { facts.direction == .received && facts.state(now: $0) == .expired }
            ?? false
            && facts.answer == nil
        if isMissedUnrecorded { facts.wasMissed = true }
        self.facts = facts
    }

    /// The request with the entity `?2` in the space with the id `?1`, as a row.
    static let oneSQL =
        columns + """
            , \(acknowledged("w", "s.person")) AS acknowledged
            FROM waggle_space s CROSS JOIN neighbours_walk w ON w.space = s.space AND w.entity = ?2
            LEFT JOIN waggle_batch b ON b.batch = (w.log << 40 | w.number)
            WHERE s.id = ?1 AND s.kind = 'pair' AND \(notBlocked)
            """

    /// Requests whose entities are from `?1` to `?2`, at most `?3`.
    static let rangeSQL =
        columns + """
            , \(acknowledged("w", "s.person")) AS acknowledged
            FROM waggle_space s
            CROSS JOIN neighbours_walk w ON w.space = s.space AND w.entity BETWEEN ?1 AND ?2
            LEFT JOIN waggle_batch b ON b.batch = (w.log << 40 | w.number)
            WHERE s.kind = 'pair' AND \(notBlocked) LIMIT ?3
            """

    private static let columns = """
        SELECT w.*, s.person AS other, b.arrived AS arrived,
            (SELECT l.device FROM waggle_log l WHERE l.log = w.log) AS device,
            (SELECT min(i.at_ms) FROM neighbours_inbox i
                WHERE i.kind = 'walk' AND i.reference = lower(hex(w.entity))) AS told_ms
        """
    private static let notBlocked = "s.person NOT IN (SELECT person FROM \(SharedViews.blocked))"

    private static func acknowledged(_ walk: String, _ person: String) -> String {
        """
        EXISTS (SELECT 1 FROM waggle_acknowledged a WHERE a.space = \(walk).space
            AND a.log = \(walk).log AND a.number >= \(walk).number AND a.person = \(person))
        """
    }

    /// Requests and whether the other side has them, in the order of their arrival here, newest
    /// first; `?1` is the most rows, `?2` the most rows of one person and direction.
    ///
    /// The sender chooses the times in a request, so they do not decide the order. If there are too
    /// many requests, each person's newest ones come first, so that one person cannot hide the
    /// others' requests.
    static let listSQL = """
        WITH request AS (
            \(columns),
                ROW_NUMBER() OVER (
                    PARTITION BY s.person, w.creator
                    ORDER BY b.arrived DESC, w.created_ms DESC, w.entity) AS turn
            FROM neighbours_walk w
            JOIN waggle_space s ON s.space = w.space
            LEFT JOIN waggle_batch b ON b.batch = (w.log << 40 | w.number)
            WHERE s.kind = 'pair' AND \(notBlocked)),
        chosen AS (
            SELECT * FROM request WHERE turn <= ?2
            ORDER BY turn, arrived DESC, entity LIMIT ?1)
        SELECT c.*, \(acknowledged("c", "c.other")) AS acknowledged
        FROM chosen c ORDER BY c.arrived DESC, c.created_ms DESC, c.entity
        """

    /// The number of requests that a list shows.
    static let listedCountMax = 200
    /// The number of requests of one person and direction that a list shows.
    static let listedPerPersonMax = 50
    /// The number of changed requests that are looked up one by one.
    static let lookedUpCountMax = 256

    /// Returns the request as answers have it.
    func answer(now: Timestamp, name: String?) -> WalkRequest {
        let state = facts.state(now: now)
        return WalkRequest(
            id: RecordKey(id), direction: facts.direction, person: Key(person), name: name,
            latitude: point.latitude, longitude: point.longitude, locationName: locationName,
            message: message,
            note: note, createdMs: facts.created, atMs: facts.at,
            secondsLeft: state.isOpen ? facts.left(now: now).secondsRoundedUp : nil,
            state: state)
    }
}
