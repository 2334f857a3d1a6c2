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

    /// The time when it arrived at this node.
    let arrived: Timestamp?

    /// Reads a row of ``sql``; nil if the record is not a request between the two of us.
    init?(_ row: Row, me: PersonID) {
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
        self.arrived = arrived
        // A sender's clock that runs ahead must not keep a request open for ever.
        let latest = creator == me ? nil : arrived.map { $0 + WalkFacts.open }
        facts = WalkFacts(
            direction: creator == me ? .sent : .received,
            created: min(created, latest ?? created),
            at: row.integer("at_ms").flatMap { Timestamp(exactly: $0) },
            isDelivered: row.isTrue("acknowledged") || row.text("answer") != nil,
            isCancelled: row.isTrue("cancelled"),
            answer: row.text("answer").flatMap(WalkFacts.Answer.init),
            answerAge: row.integer("answer_age_ms").flatMap {
                RecordTimes.milliseconds.contains($0) ? .milliseconds($0) : nil
            },
            wasMissed: row.isTrue("missed"))
    }

    /// Requests and whether the other side has them, in the order of their arrival here, newest
    /// first; `?1` and `?2` are the first and the last entity or null for all, `?3` the most rows,
    /// `?4` the most rows of one person and direction.
    ///
    /// The sender chooses the times in a request, so they do not decide the order. If there are too
    /// many requests, each person's newest ones come first, so that one person cannot hide the
    /// others' requests.
    static let sql = """
        WITH request AS (
            SELECT w.*, s.person AS other, b.arrived AS arrived,
                ROW_NUMBER() OVER (
                    PARTITION BY s.person, w.creator
                    ORDER BY b.arrived DESC, w.created_ms DESC, w.entity) AS turn
            FROM neighbours_walk w
            JOIN waggle_space s ON s.space = w.space
            LEFT JOIN waggle_batch b ON b.batch = (w.log << 40 | w.number)
            WHERE s.kind = 'pair' AND (?1 IS NULL OR w.entity BETWEEN ?1 AND ?2)
                AND s.person NOT IN (SELECT person FROM \(SharedViews.blocked))),
        chosen AS (
            SELECT * FROM request WHERE turn <= ?4
            ORDER BY turn, arrived DESC, entity LIMIT ?3)
        SELECT c.*, EXISTS (SELECT 1 FROM waggle_acknowledged a WHERE a.space = c.space
                AND a.log = c.log AND a.number >= c.number AND a.person = c.other)
                AS acknowledged
        FROM chosen c ORDER BY c.arrived DESC, c.created_ms DESC, c.entity
        """

    /// The number of requests that a list shows.
    static let listedCountMax = 200
    /// The number of requests of one person and direction that a list shows.
    static let listedPerPersonMax = 50

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
