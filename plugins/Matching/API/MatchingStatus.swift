public import Contract

/// The answer of `matching status` and of most actions. A property that is not known is absent.
public struct MatchingStatus: Codable, Hashable, Sendable {
    /// My state.
    public var state: MatchingState
    /// The one action that a page offers now.
    public var action: MatchingAction
    /// My wishes; none means anything.
    public var wishes: [ShownWish]
    /// The person to whom I am committed, or the match.
    public var partner: MatchingPartner?
    /// The seconds before I can look again, after cancels.
    public var pauseSeconds: Count?
    /// The number of matches that I ended. Each further end costs more, up to three minutes.
    public var cancelCount: Count
    /// The number of people whose requests wait for my answer.
    public var requestCount: Count
    /// The number of people in the list, while I look.
    public var peopleCount: Count?
    /// My location as others receive it, while I look and it is known.
    public var location: MatchingLocation?
    /// The number of matches that I can review.
    public var reviewsDue: Count

    /// Creates the value.
    /// - Parameter isSeeking: whether I look; a confirmation can wait without it, after a restart.
    public init(
        state: MatchingState, isSeeking: Bool = false, wishes: [String],
        partner: MatchingPartner? = nil,
        pauseSeconds: Int? = nil, cancelCount: Int = 0, requestCount: Int = 0,
        peopleCount: Int? = nil, location: MatchingLocation? = nil, reviewsDue: Int = 0
    ) {
        self.state = state
        action =
            switch state {
            case .matched: .openChat
            case .idle, .unknown: .look
            case .seeking: .stop
            case .accepted, .confirming: isSeeking ? .stop : .look
            }
        self.wishes = wishes.map(ShownWish.init(clipping:))
        self.partner = partner
        self.pauseSeconds = pauseSeconds.map { Count(clamping: $0) }
        self.cancelCount = Count(clamping: cancelCount)
        self.requestCount = Count(clamping: requestCount)
        self.peopleCount = peopleCount.map { Count(clamping: $0) }
        self.location = location
        self.reviewsDue = Count(clamping: reviewsDue)
    }
}

/// A location rounded to 100 m.
public struct MatchingLocation: Codable, Hashable, Sendable {
    /// Degrees north.
    public var latitude: Latitude
    /// Degrees east.
    public var longitude: Longitude

    /// Creates the value.
    public init(latitude: Double, longitude: Double) {
        self.latitude = Latitude(clamping: latitude)
        self.longitude = Longitude(clamping: longitude)
    }
}

/// The person to whom I am committed, or with whom a match stands.
public struct MatchingPartner: Codable, Hashable, Sendable {
    /// The person.
    public var person: Key
    /// The first digits of their key.
    public var suffix: KeySuffix
    /// The name that they gave.
    public var name: PersonName?
    /// Whether they are a mate.
    public var mate: Bool
    /// The seconds in which they can confirm my acceptance, or answer my confirmation.
    public var secondsLeft: Count?
    /// The time at which the match began.
    public var sinceMs: Timestamp?
    /// The room of the chat, for `chat open`.
    public var room: Key?
    /// The time from which the match can be reviewed.
    public var reviewFromMs: Timestamp?
    /// Whether I have reviewed it.
    public var reviewed: Bool

    /// Creates the value.
    public init(
        person: Key, name: String? = nil, isMate: Bool = false, secondsLeft: Int? = nil,
        sinceMs: Timestamp? = nil, room: Key? = nil, reviewFromMs: Timestamp? = nil,
        isReviewed: Bool = false
    ) {
        self.person = person
        suffix = KeySuffix(person)
        self.name = name.map(PersonName.init(clipping:))
        mate = isMate
        self.secondsLeft = secondsLeft.map { Count(clamping: $0) }
        self.sinceMs = sinceMs
        self.room = room
        self.reviewFromMs = reviewFromMs
        reviewed = isReviewed
    }
}

/// The answer of `matching card` and `matching edit-card`: what people who look see of me, besides
/// wishes and location.
public struct MatchingCard: Codable, Hashable, Sendable {
    /// My age; absent if I keep it private.
    public var age: MatchingAge?
    /// My gender; absent if I keep it private.
    public var gender: MatchingGender?
    /// The number of reviews that I show.
    public var shownReviewCount: Count

    /// Creates the value.
    public init(age: Int? = nil, gender: MatchingGender? = nil, shownReviewCount: Int = 0) {
        self.age = age.map { MatchingAge(clamping: $0) }
        self.gender = gender
        self.shownReviewCount = Count(clamping: shownReviewCount)
    }
}

/// The answer of `matching filters` and `matching edit-filters`. A filter hides people who do not
/// give the field.
public struct MatchingFilters: Codable, Hashable, Sendable {
    /// The gender of the people to list.
    public var gender: MatchingGender?
    /// The lowest age to list.
    public var ageMin: FilterAge?
    /// The highest age to list.
    public var ageMax: FilterAge?

    /// Creates the value.
    public init(gender: MatchingGender? = nil, ageMin: Int? = nil, ageMax: Int? = nil) {
        self.gender = gender
        self.ageMin = ageMin.map { FilterAge(clamping: $0) }
        self.ageMax = ageMax.map { FilterAge(clamping: $0) }
    }
}
