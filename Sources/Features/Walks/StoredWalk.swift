internal import FeaturesAPI
internal import PluginKit

/// A walk request as it is stored.
struct StoredWalk: Hashable, Sendable {
    let id: EntityID
    /// The other side.
    let person: PersonID
    let point: Point
    let place: String?
    let message: String
    /// The later of the notes that the two people wrote on it.
    let note: String?
    let facts: WalkFacts

    /// The time when it arrived at this node, in milliseconds since 1970.
    let arrivedMs: Int64?

    /// Reads a row of ``sql``; nil if the record is not a request between the two of us.
    init?(_ row: Row, me: PersonID) {
        guard let id = row.entity("entity"), let other = row.person("other"),
            let creator = row.person("creator"), let receiver = row.person("receiver"),
            Set([creator, receiver]) == Set([me, other]), me != other,
            let createdMs = row.integer("created_ms"),
            RecordTimes.milliseconds.contains(createdMs),
            let latitude = row.real("latitude"), let longitude = row.real("longitude"),
            let point = try? Point(latitude: latitude, longitude: longitude),
            let message = row.text("message").flatMap(TextRule.message.clip)
        else { return nil }
        self.id = id
        self.person = other
        self.point = point
        self.message = message
        place = row.text("place").flatMap(TextRule.place.clip)
        note = row.text("note").flatMap(TextRule.message.clip)
        let arrivedMs = row.integer("arrived")
        self.arrivedMs = arrivedMs
        // A sender's clock that runs ahead must not keep a request open for ever.
        let latestMs = creator == me ? nil : arrivedMs.map { $0 + WalkFacts.openMilliseconds }
        facts = WalkFacts(
            direction: creator == me ? .sent : .received,
            createdMs: min(createdMs, latestMs ?? createdMs),
            atMs: row.integer("at_ms").flatMap { RecordTimes.milliseconds.contains($0) ? $0 : nil },
            isDelivered: row.isTrue("acknowledged") || row.text("answer") != nil,
            isCancelled: row.isTrue("cancelled"),
            answer: row.text("answer").flatMap(WalkFacts.Answer.init),
            answerAgeMs: row.integer("answer_age_ms").flatMap {
                RecordTimes.milliseconds.contains($0) ? $0 : nil
            },
            wasMissed: row.isTrue("missed"))
    }

    /// Requests and whether the other side has them, newest first; `?1` is one entity or null for
    /// all, `?2` the most rows.
    static let sql = """
        SELECT w.*, s.person AS other, b.arrived AS arrived,
            EXISTS (SELECT 1 FROM waggle_acknowledged a WHERE a.space = w.space
                AND a.log = w.log AND a.number >= w.number AND a.person = s.person)
                AS acknowledged
        FROM neighbours_walk w
        JOIN waggle_space s ON s.space = w.space
        LEFT JOIN waggle_batch b ON b.batch = (w.log << 40 | w.number)
        WHERE s.kind = 'pair' AND (?1 IS NULL OR w.entity = ?1)
            AND s.person NOT IN (SELECT person FROM \(SharedViews.blocked))
        ORDER BY w.created_ms DESC, w.entity LIMIT ?2
        """

    /// The number of requests that a list shows.
    static let listedCountMax = 200

    /// Returns the request as answers have it.
    func answer(nowMs: Int64, name: String?) -> WalkRequest {
        let state = facts.state(nowMs: nowMs)
        return WalkRequest(
            id: RecordKey(id), direction: facts.direction, person: Key(person), name: name,
            latitude: point.latitude, longitude: point.longitude, place: place, message: message,
            note: note, createdMs: Timestamp(milliseconds: facts.createdMs),
            atMs: facts.atMs.map { Timestamp(milliseconds: $0) },
            secondsLeft: state.isOpen ? Int((facts.leftMs(nowMs: nowMs) + 999) / 1000) : nil,
            state: state)
    }
}
