internal import PluginKit

/// A promise as this device knows it.
struct Promise: Hashable, Sendable {
    let space: SpaceDescriptor
    /// The id by which commands name it.
    let id: SpaceID
    let maker: PersonID
    let title: String
    /// When to be there, in milliseconds since 1970.
    let atMs: Int64
    let point: Point
    /// What the place is called, where it is called anything.
    let place: String?
    /// What whoever is late owes, in potatoes.
    let penalty: Int64
    let isDeleted: Bool
    /// Who is or was asked, its maker among them, by key.
    let people: [Participant]

    /// Joins a row of the view of promises and the people of its space; nil where the row is no
    /// promise that this version would make.
    init?(_ row: Row, people: [Participant]) {
        guard let space = row.descriptor("descriptor"), let maker = row.person("maker"),
            let title = row.text("title").flatMap(PromiseLimits.title.clip),
            let atMs = row.integer("at_ms"), PromiseLimits.timesMs.contains(atMs),
            let latitude = row.real("latitude"), let longitude = row.real("longitude"),
            let point = try? Point(latitude: latitude, longitude: longitude),
            let penalty = row.integer("penalty"), PromiseLimits.penalties.contains(penalty)
        else { return nil }
        self.space = space
        id = space.id
        self.maker = maker
        self.title = title
        self.atMs = atMs
        self.point = point
        place = row.text("place").flatMap(PromiseLimits.place.clip)
        self.penalty = penalty
        isDeleted = row.isTrue("is_deleted")
        self.people = people
    }

    /// How far it is, at a moment in milliseconds since 1970.
    func phase(nowMs: Int64) -> PromisePhase { PromisePhase(atMs: atMs, nowMs: nowMs) }

    /// When something changes by the clock alone, in milliseconds since 1970: its people are shown
    /// on the way, its time comes, it is over.
    var momentsMs: [Int64] {
        [atMs - PromiseLimits.trackingMs, atMs, atMs + PromiseLimits.pastMs]
    }

    /// Those who take part: its maker, and who accepted.
    var participants: [Participant] { people.filter { $0.state == .member } }

    /// What is known of one person in it, or nil.
    func person(_ person: PersonID) -> Participant? { people.first { $0.person == person } }

    /// Whether it is about the same thing, at the same time and place for the same penalty.
    func hasSameTerms(as other: Promise) -> Bool {
        title == other.title && atMs == other.atMs && point == other.point && place == other.place
            && penalty == other.penalty
    }

    /// Whether a person takes part.
    func includes(_ person: PersonID) -> Bool { self.person(person)?.state == .member }

    /// The order of those who arrived.
    var ranking: Ranking {
        Ranking(
            Dictionary(
                participants.compactMap { person in
                    Lateness.counted(person.arrivedMs, atMs: atMs).map { (person.person, $0) }
                }, uniquingKeysWith: min))
    }

    /// How somebody keeps its time, at a moment in milliseconds since 1970.
    func lateness(of participant: Participant, nowMs: Int64) -> Lateness {
        Lateness(atMs: atMs, arrivedMs: participant.arrivedMs, nowMs: nowMs)
    }
}

/// Somebody who was asked to a promise.
struct Participant: Hashable, Sendable {
    let person: PersonID
    let state: Member.State
    /// As they call themselves.
    let nickname: String?
    /// When they set out, in milliseconds since 1970, as they say.
    let departedMs: Int64?
    /// Where they set out from.
    let departure: Point?
    /// The device that set out; nil where it does not say so.
    let departedDevice: DeviceID?
    /// When they arrived, in milliseconds since 1970, as they say.
    let arrivedMs: Int64?

    /// Reads a row of the view of people; nil where it names nobody.
    init?(_ row: Row) {
        guard let person = row.person("person"),
            let state = row.text("state").flatMap(Member.State.init)
        else { return nil }
        self.person = person
        self.state = state
        nickname = row.text("nickname").flatMap(PromiseLimits.nickname.clip)
        departedMs = row.integer("departed_ms")
        departedDevice = row.device("departed_device")
        if let latitude = row.real("departed_latitude"),
            let longitude = row.real("departed_longitude")
        {
            departure = try? Point(latitude: latitude, longitude: longitude)
        } else {
            departure = nil
        }
        arrivedMs = row.integer("arrived_ms")
    }
}
