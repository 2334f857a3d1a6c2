internal import PluginKit

/// A walk request as it stands in this replica.
struct WalkRequest: Hashable, Sendable {
    let id: EntityID
    /// The other side.
    let person: PersonID
    let point: Point
    let place: String?
    let message: String
    /// What either of the two wrote on it last.
    let note: String?
    let facts: WalkFacts

    /// When it came to this node, in milliseconds since 1970.
    let arrivedMs: Int64?

    /// Reads a row of ``sql``; nil where the record is no request between the two of us.
    init?(_ row: Row, me: PersonID) {
        guard let id = row.entity("entity"), let other = row.person("other"),
            let creator = row.person("creator"), let receiver = row.person("receiver"),
            Set([creator, receiver]) == Set([me, other]), me != other,
            let createdMs = row.integer("created_ms"),
            WalkFacts.milliseconds.contains(createdMs),
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
            atMs: row.integer("at_ms").flatMap { WalkFacts.milliseconds.contains($0) ? $0 : nil },
            isDelivered: row.isTrue("acknowledged") || row.text("answer") != nil,
            isCancelled: row.isTrue("cancelled"),
            answer: row.text("answer").flatMap(WalkFacts.Answer.init),
            answerAgeMs: row.integer("answer_age_ms").flatMap {
                WalkFacts.milliseconds.contains($0) ? $0 : nil
            },
            wasMissed: row.isTrue("missed"))
    }

    /// Requests with what the other side has of them, newest first; `?1` is one entity or null
    /// for all, `?2` how many at most.
    static let sql = """
        SELECT w.*, s.person AS other, b.arrived AS arrived,
            EXISTS (SELECT 1 FROM waggle_acknowledged a WHERE a.space = w.space
                AND a.log = w.log AND a.number >= w.number AND a.person = s.person)
                AS acknowledged
        FROM neighbours_walk w
        JOIN waggle_space s ON s.space = w.space
        LEFT JOIN waggle_batch b ON b.batch = (w.log << 40 | w.number)
        WHERE s.kind = 'pair' AND (?1 IS NULL OR w.entity = ?1)
            AND s.person NOT IN (SELECT person FROM neighbours_blocked)
        ORDER BY w.created_ms DESC, w.entity LIMIT ?2
        """

    /// How many requests a list shows.
    static let listedCountMax = 200

    /// The request as JSON.
    func json(nowMs: Int64, name: String?) -> JSONValue {
        let state = facts.state(nowMs: nowMs)
        return .record([
            "id": .string(id.description), "direction": .string(facts.direction.rawValue),
            "person": .string(person.description), "name": name.map { .string($0) },
            "latitude": .number(point.latitude), "longitude": .number(point.longitude),
            "place": place.map { .string($0) }, "message": .string(message),
            "note": note.map { .string($0) },
            "createdMs": .integer(facts.createdMs), "atMs": facts.atMs.map { .integer($0) },
            "secondsLeft": state.isOpen ? .integer((facts.leftMs(nowMs: nowMs) + 999) / 1000) : nil,
            "state": .string(state.rawValue),
        ])
    }

    /// The shape of ``json(nowMs:name:)``.
    static let shape = Shape.object([
        "id": .text, "direction": .text, "person": .text, "name?": .text, "latitude": .number,
        "longitude": .number, "place?": .text, "message": .text, "note?": .text,
        "createdMs": .integer, "atMs?": .integer, "secondsLeft?": .integer, "state": .text,
    ])
}
