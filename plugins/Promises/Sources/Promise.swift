internal import PluginKit
internal import PromisesAPI

/// A promise as this device knows it.
struct Promise: Hashable, Sendable {
    let space: SpaceDescriptor
    /// The id by which commands name it.
    let id: SpaceID
    let maker: PersonID
    let title: String
    /// The time to be there.
    let at: Timestamp
    let point: Point
    /// The name of the location, if it has one.
    let locationName: String?
    /// The cost of being late, in potatoes.
    let penalty: Int
    let isDeleted: Bool
    /// Everybody who is or was asked, and the maker, by key.
    let people: [Participant]

    /// Joins a row of the view of promises and the people of its space; nil if this version would
    /// not make such a promise.
    init?(_ row: Row, people: [Participant]) {
        guard let space = row.descriptor("descriptor"), let maker = row.person("maker"),
            let title = row.text("title").flatMap(PromiseLimits.title.clip),
            let atMs = row.integer("at_ms"), PromiseLimits.recorded.contains(atMs),
            let latitude = row.real("latitude"), let longitude = row.real("longitude"),
            let point = try? Point(latitude: latitude, longitude: longitude),
            let penalty = row.integer("penalty").map({ Int($0) }),
            PromiseLimits.penalties.contains(penalty)
        else { return nil }
        self.space = space
        id = space.id
        self.maker = maker
        self.title = title
        at = Timestamp(milliseconds: atMs)
        self.point = point
        locationName = row.text("place").flatMap(PromiseLimits.locationName.clip)
        self.penalty = penalty
        isDeleted = row.isTrue("is_deleted")
        self.people = people
    }

    /// Returns its phase at a moment; a deleted promise has one too.
    func phase(now: Timestamp) -> PromisePhase { PromisePhase(at: at, now: now) }

    /// The moments of changes by the clock alone: tracking begins, its time comes, it is over.
    var moments: [Timestamp] { [at - PromiseLimits.tracking, at, at + PromiseLimits.past] }

    /// The participants: its maker, and everybody who accepted.
    var participants: [Participant] { people.filter { $0.state == .member } }

    /// Returns one person in it, or nil.
    func person(_ person: PersonID) -> Participant? { people.first { $0.person == person } }

    /// Whether title, time, location, name of the location and penalty are equal.
    func hasSameTerms(as other: Promise) -> Bool {
        title == other.title && at == other.at && point == other.point
            && locationName == other.locationName
            && penalty == other.penalty
    }

    /// A name of its terms that is the same on all my devices, as 64 hexadecimal digits.
    ///
    /// The maker chooses the texts, and a change to terms of the same name would not be told. So
    /// each field follows its length, and the hash is a cryptographic one.
    var termsName: String {
        var bytes: [UInt8] = []
        for field in [
            title, locationName ?? "", "\(locationName != nil)",
            "\(at.milliseconds)", "\(point.latitude)", "\(point.longitude)", "\(penalty)",
        ] { bytes.append(text: field) }
        return Hexadecimal.text(Digest.terms.hash(bytes).bytes)
    }

    /// Whether a person takes part.
    func includes(_ person: PersonID) -> Bool { self.person(person)?.state == .member }

    /// The order of those who arrived.
    var ranking: Ranking {
        Ranking(
            Dictionary(
                participants.compactMap { person in
                    Lateness.counted(person.arrived, at: at).map { (person.person, $0) }
                }, uniquingKeysWith: min))
    }

    /// Returns the lateness of a participant, as known at a moment.
    func lateness(of participant: Participant, now: Timestamp) -> Lateness {
        Lateness(at: at, arrived: participant.arrived, now: now)
    }
}

/// A person who was asked to a promise.
struct Participant: Hashable, Sendable {
    let person: PersonID
    let state: Member.State
    /// The name that they gave themselves.
    let nickname: String?
    /// The time of their departure, as their device says.
    let departed: Timestamp?
    /// The location of their departure.
    let departure: Point?
    /// The device that set out; nil if the record names none.
    let departedDevice: DeviceID?
    /// The time of their arrival, as their device says.
    let arrived: Timestamp?
    /// Their consent to be shown on the way.
    let consent: Consent

    /// Their relation to the promise, as answers name it.
    var membership: PromiseMembership {
        switch state {
        case .invited: .invited
        case .member: .member
        case .left: .left
        case .removed: .removed
        }
    }

    /// Reads a row of the view of people; nil if it names no person.
    init?(_ row: Row) {
        guard let person = row.person("person"),
            let state = row.text("state").flatMap(Member.State.init)
        else { return nil }
        self.person = person
        self.state = state
        nickname = row.text("nickname").flatMap(TextRule.nickname.clip)
        departed = row.integer("departed_ms").map { Timestamp(milliseconds: $0) }
        departedDevice = row.device("departed_device")
        if let latitude = row.real("departed_latitude"),
            let longitude = row.real("departed_longitude")
        {
            departure = try? Point(latitude: latitude, longitude: longitude)
        } else {
            departure = nil
        }
        arrived = row.integer("arrived_ms").map { Timestamp(milliseconds: $0) }
        consent = Consent(row)
    }
}
