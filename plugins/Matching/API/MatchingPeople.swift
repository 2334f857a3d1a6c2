public import Contract

/// The answer of `matching people`. Nobody is listed while I do not look.
public struct MatchingPeople: Codable, Hashable, Sendable {
    /// My state, which says whether I look.
    public var state: MatchingState
    /// The wishes of the people who look, the most frequent first; at most
    /// ``recommendedCountMax``.
    public var recommended: [RecommendedWish]
    /// The people within 700 m, and those whose location is not known. Those who share a wish come
    /// first, then the nearest.
    public var people: [MatchingPerson]
    /// The number of people who look and are not listed: they are too far, or a filter hides them.
    public var hiddenCount: Count

    /// The maximum number of recommended wishes.
    public static let recommendedCountMax = 8

    /// Creates the value.
    public init(
        state: MatchingState, recommended: [RecommendedWish], people: [MatchingPerson],
        hiddenCount: Int
    ) {
        self.state = state
        self.recommended = recommended
        self.people = people
        self.hiddenCount = Count(clamping: hiddenCount)
    }
}

/// A wish of others.
public struct RecommendedWish: Codable, Hashable, Sendable {
    /// The wish.
    public var wish: ShownWish
    /// The number of people who have it.
    public var count: Count
    /// Whether it is one of mine.
    public var mine: Bool

    /// Creates the value.
    public init(wish: String, count: Int, isMine: Bool) {
        self.wish = ShownWish(clipping: wish)
        self.count = Count(clamping: count)
        mine = isMine
    }
}

/// A wish of a person in the list.
public struct PersonWish: Codable, Hashable, Sendable {
    /// The wish.
    public var wish: ShownWish
    /// Whether I have it too.
    public var shared: Bool

    /// Creates the value.
    public init(wish: String, isShared: Bool) {
        self.wish = ShownWish(clipping: wish)
        shared = isShared
    }
}

/// A person who looks too. A property that is not known is absent.
public struct MatchingPerson: Codable, Hashable, Sendable {
    /// The person.
    public var person: Key
    /// The first digits of their key.
    public var suffix: KeySuffix
    /// The name, if they are known, show it to everyone, or asked me.
    public var name: PersonName?
    /// The relation between us.
    public var state: MatchingPersonState
    /// Their wishes; none means anything.
    public var wishes: [PersonWish]
    /// Whether a wish is shared; anything shares every wish.
    public var shares: Bool
    /// The distance between their rounded location and mine, in metres.
    public var distanceMetres: DistanceMetres?
    /// Their location, rounded to 100 m by them.
    public var location: MatchingLocation?
    /// Their age.
    public var age: MatchingAge?
    /// Their gender.
    public var gender: MatchingGender?
    /// Whether they are a mate.
    public var mate: Bool
    /// The number of reviews that they say they show; `matching reviews` checks them.
    public var reviewCount: Count
    /// A sentence about the end of my last request to them.
    public var answer: ShownSentence?

    /// Creates the value.
    public init(
        person: Key, name: String? = nil, state: MatchingPersonState, wishes: [PersonWish],
        shares: Bool, distanceMetres: Double? = nil, location: MatchingLocation? = nil,
        age: Int? = nil, gender: MatchingGender? = nil, isMate: Bool = false,
        reviewCount: Int = 0, answer: Sentence? = nil
    ) {
        self.person = person
        suffix = KeySuffix(person)
        self.name = name.map(PersonName.init(clipping:))
        self.state = state
        self.wishes = wishes
        self.shares = shares
        self.distanceMetres = distanceMetres.map(DistanceMetres.init(clamping:))
        self.location = location
        self.age = age.map { MatchingAge(clamping: $0) }
        self.gender = gender
        mate = isMate
        self.reviewCount = Count(clamping: reviewCount)
        self.answer = answer.map { ShownSentence($0) }
    }
}
