public import Contract

/// A lateness for a reader, as in "4 min early".
public typealias LatenessText = LimitedSentence<20>
/// A distance for a reader, as in "1.20 km".
public typealias RemainingText = ShownText<20>
/// The seconds from an arrival to the time of a promise, negative after it. An arrival counts from
/// half an hour before the time until three hours after it.
public typealias EarlySeconds = Whole<-10_800, 1_800>

/// A promise as this device sees it.
public struct PromiseSummary: Codable, Hashable, Sendable {
    /// Its id.
    public var id: Key
    /// The title.
    public var title: PromiseTitleText.Shown
    /// The time to be there.
    public var atMs: Timestamp
    /// Its phase.
    public var phase: PromisePhase
    /// My relation to it.
    public var state: PromiseMembership?
    /// The person who made it.
    public var maker: Key
    /// Their name.
    public var makerName: PersonName
    /// Whether I made it.
    public var mine: Bool
    /// Degrees north.
    public var latitude: Latitude
    /// Degrees east.
    public var longitude: Longitude
    /// The name of the location.
    public var locationName: PromiseLocationName.Shown?
    /// The cost of being late, in potatoes.
    public var penalty: PromisePenalty
    /// The number of people who take part.
    public var peopleCount: Count
    /// The state of sharing my location with them.
    public var sharing: PromiseSharing
    /// The device of mine that shows my location instead of this one; nil unless `sharing` is
    /// `elsewhere`.
    public var sharingDevice: Key?

    /// Creates the value.
    public init(
        id: Key, title: String, atMs: Timestamp, phase: PromisePhase,
        state: PromiseMembership? = nil, maker: Key, makerName: String, mine: Bool,
        latitude: Double, longitude: Double, locationName: String? = nil, penalty: Int,
        peopleCount: Int,
        sharing: PromiseSharing, sharingDevice: Key? = nil
    ) {
        self.id = id
        self.title = PromiseTitleText.Shown(clipping: title)
        self.atMs = atMs
        self.phase = phase
        self.state = state
        self.maker = maker
        self.makerName = PersonName(clipping: makerName)
        self.mine = mine
        self.latitude = Latitude(clamping: latitude)
        self.longitude = Longitude(clamping: longitude)
        self.locationName = locationName.map(PromiseLocationName.Shown.init(clipping:))
        self.penalty = PromisePenalty(clamping: penalty)
        self.peopleCount = Count(clamping: peopleCount)
        self.sharing = sharing
        self.sharingDevice = sharingDevice
    }
}

extension PromiseSummary: DetailMembers {
    /// The sharing, numbers of the promise, its maker's key, and the coordinates.
    public static let detailMembers = [
        "sharing", "sharingDevice", "penalty", "peopleCount", "mine", "maker", "latitude",
        "longitude",
    ]
}

/// The answer of most commands on one promise: its summary and its people. In JSON the members of
/// the summary are beside `people`, not in an object of their own.
public struct PromiseDetail: Codable, Hashable, Sendable {
    /// The promise.
    public var summary: PromiseSummary
    /// Everybody who was asked, by key.
    public var people: [PromisePerson]

    /// Creates the value.
    public init(summary: PromiseSummary, people: [PromisePerson]) {
        self.summary = summary
        self.people = people
    }

    private enum CodingKeys: CodingKey { case people }

    /// Reads the members of the summary and the people.
    public init(from decoder: any Decoder) throws {
        summary = try PromiseSummary(from: decoder)
        people = try decoder.container(keyedBy: CodingKeys.self)
            .decode([PromisePerson].self, forKey: .people)
    }

    /// Writes the members of the summary and the people.
    public func encode(to encoder: any Encoder) throws {
        try summary.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(people, forKey: .people)
    }
}

/// A person who was asked to a promise.
public struct PromisePerson: Codable, Hashable, Sendable {
    /// The person.
    public var person: Key
    /// The first digits of their key, which tell people with the same name apart.
    public var suffix: KeySuffix
    /// Their name.
    public var name: PersonName
    /// Whether it is me.
    public var me: Bool
    /// Their relation to the promise.
    public var state: PromiseMembership
    /// Their lateness; nil for a person who does not take part.
    public var lateness: PromiseLateness?
    /// The same for a reader, as in "4 min early".
    public var latenessText: LatenessText?
    /// Seconds from their arrival to the time, negative after it; nil without an arrival.
    public var earlySeconds: EarlySeconds?
    /// Their rank in the order of arrival, from 1.
    public var rank: Ordinal?
    /// Their medal.
    public var medal: PromiseMedal?
    /// The time they set out, as their device says.
    public var departedMs: Timestamp?
    /// The time they arrived, as their device says.
    public var arrivedMs: Timestamp?
    /// Whether they agreed to the present time of the promise; nil if they do not take part, or
    /// their program does not say.
    public var hasConfirmed: Bool?
    /// Their location on the way.
    public var location: SharedLocation?
    /// The distance that is left, as in "1.20 km".
    public var remaining: RemainingText?
    /// The part of the way that is done, from 0 to 1.
    public var progress: Share?

    /// Creates the value.
    public init(
        person: Key, suffix: KeySuffix, name: String, me: Bool, state: PromiseMembership,
        lateness: PromiseLateness? = nil, latenessText: Sentence? = nil, earlySeconds: Int? = nil,
        rank: Int? = nil, medal: PromiseMedal? = nil, departedMs: Timestamp? = nil,
        arrivedMs: Timestamp? = nil, hasConfirmed: Bool? = nil, location: SharedLocation? = nil,
        remaining: String? = nil, progress: Double? = nil
    ) {
        self.person = person
        self.suffix = suffix
        self.name = PersonName(clipping: name)
        self.me = me
        self.state = state
        self.lateness = lateness
        self.latenessText = latenessText.map(LatenessText.init(_:))
        self.earlySeconds = earlySeconds.map(EarlySeconds.init(clamping:))
        self.rank = rank.map { Ordinal(clamping: $0) }
        self.medal = medal
        self.departedMs = departedMs
        self.arrivedMs = arrivedMs
        self.hasConfirmed = hasConfirmed
        self.location = location
        self.remaining = remaining.map(RemainingText.init(clipping:))
        self.progress = progress.map { Share(clamping: $0) }
    }

    private enum CodingKeys: String, CodingKey {
        case person, suffix, name, me, state, lateness, latenessText, earlySeconds, rank, medal
        case departedMs, arrivedMs, hasConfirmed
        case location = "position"
        case remaining, progress
    }

    /// A location on the way.
    public struct SharedLocation: Codable, Hashable, Sendable {
        /// Degrees north.
        public var latitude: Latitude
        /// Degrees east.
        public var longitude: Longitude
        /// The radius in metres within which it lies.
        public var accuracyMetres: AccuracyMetres?
        /// The time of the fix, as its source says.
        public var atMs: Timestamp?
        /// Its age.
        public var ageSeconds: Count
        /// Whether it is too old to be relied on.
        public var isStale: Bool

        /// Creates the value.
        public init(
            latitude: Double, longitude: Double, accuracyMetres: Double? = nil,
            atMs: Timestamp? = nil, ageSeconds: Int, isStale: Bool
        ) {
            self.latitude = Latitude(clamping: latitude)
            self.longitude = Longitude(clamping: longitude)
            self.accuracyMetres = accuracyMetres.map { AccuracyMetres(clamping: $0) }
            self.atMs = atMs
            self.ageSeconds = Count(clamping: ageSeconds)
            self.isStale = isStale
        }
    }
}

extension PromisePerson: DetailMembers {
    /// Members that the rank, the lateness in words and the distance tell too.
    public static let detailMembers = [
        "medal", "departedMs", "hasConfirmed", "me", "progress", "lateness", "earlySeconds",
        "position",
    ]
}

/// The answer of `promise list`.
public struct PromiseList: Codable, Hashable, Sendable {
    /// The promises that are not over, in the order of time; or past ones, newest first.
    public var promises: [PromiseSummary]
    /// The cursor of the next page of past ones, if there is one.
    public var next: Cursor?

    /// Creates the value.
    public init(promises: [PromiseSummary], next: Cursor? = nil) {
        self.promises = promises
        self.next = next
    }
}

/// The answer of `promise today`.
public struct PromisesToday: Codable, Hashable, Sendable {
    /// Today's promises in the order of time.
    public var promises: [PromiseSummary]
    /// The first of them whose time has not come.
    public var next: Key?
    /// Whether there were promises today and all are past.
    public var allDone: Bool
    /// The same in one line, as in "18:30 Dinner, City Hall".
    public var text: ShownSentence

    /// Creates the value.
    public init(promises: [PromiseSummary], next: Key? = nil, allDone: Bool, text: Sentence) {
        self.promises = promises
        self.next = next
        self.allDone = allDone
        self.text = ShownSentence(text)
    }
}

/// The answer of `promise draft`: what an event of a calendar file says, within the limits of a
/// promise. What the event does not have is absent.
public struct PromiseDraft: Codable, Hashable, Sendable {
    /// The title.
    public var title: PromiseTitleText.Shown?
    /// The time; absent for an event of whole days.
    public var atMs: Timestamp?
    /// Degrees north.
    public var latitude: Latitude?
    /// Degrees east.
    public var longitude: Longitude?
    /// The name of the location.
    public var locationName: PromiseLocationName.Shown?

    /// Creates the value.
    public init(
        title: String? = nil, atMs: Timestamp? = nil, latitude: Double? = nil,
        longitude: Double? = nil, locationName: String? = nil
    ) {
        self.title = title.map(PromiseTitleText.Shown.init(clipping:))
        self.atMs = atMs
        self.latitude = latitude.map { Latitude(clamping: $0) }
        self.longitude = longitude.map { Longitude(clamping: $0) }
        self.locationName = locationName.map(PromiseLocationName.Shown.init(clipping:))
    }
}
