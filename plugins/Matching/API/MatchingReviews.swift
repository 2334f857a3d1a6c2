public import Contract

/// A review of a match.
public struct MatchingReview: Codable, Hashable, Sendable {
    /// The review's id, for `matching show`; absent for a review that another person shows.
    public var id: RecordKey?
    /// The person who wrote it.
    public var by: Key
    /// The first digits of their key.
    public var suffix: KeySuffix
    /// Their name, if it is known.
    public var name: PersonName?
    /// The person whom it is about.
    public var about: Key
    /// The marks.
    public var marks: [ReviewMark]
    /// The text.
    public var text: ReviewText.Shown?
    /// The time at which the two matched, as the reviewer signed it.
    public var matchedMs: Timestamp
    /// Whether the author is a mate of mine, or I.
    public var known: Bool
    /// Whether I show it on my card.
    public var shown: Bool?
    /// Whether others can check that the match was real; only then I can show it. Absent unless I
    /// received it.
    public var showable: Bool?
    /// Whether the other person's device has stored it.
    public var delivered: Bool?

    /// Creates the value.
    public init(
        id: RecordKey? = nil, by: Key, name: String? = nil, about: Key, marks: [ReviewMark],
        text: String? = nil, matchedMs: Timestamp, isKnown: Bool, isShown: Bool? = nil,
        isShowable: Bool? = nil, isDelivered: Bool? = nil
    ) {
        self.id = id
        self.by = by
        suffix = KeySuffix(by)
        self.name = name.map(PersonName.init(clipping:))
        self.about = about
        self.marks = marks
        self.text = text.map(ReviewText.Shown.init(clipping:))
        self.matchedMs = matchedMs
        known = isKnown
        shown = isShown
        showable = isShowable
        delivered = isDelivered
    }
}

/// The answer of `matching reviews`.
public struct MatchingReviews: Codable, Hashable, Sendable {
    /// The reviews of me, or those that the person shows. Each was checked: its author and the
    /// person have signed that they matched.
    public var received: [MatchingReview]
    /// The reviews that I wrote.
    public var given: [MatchingReview]
    /// The matches that I can review now.
    public var due: [MatchingPartner]
    /// A sentence to show above reviews of people I have not met.
    public var label: ShownSentence?
    /// A sentence that says what showing a review tells others.
    public var disclosure: ShownSentence
    /// Whether more reviews of the person may still arrive.
    public var incomplete: Bool

    /// Creates the value.
    public init(
        received: [MatchingReview], given: [MatchingReview] = [], due: [MatchingPartner] = [],
        isIncomplete: Bool = false
    ) {
        self.received = received
        self.given = given
        self.due = due
        label =
            received.contains { !$0.known }
            ? ShownSentence("by people you have not met") : nil
        disclosure = ShownSentence(Self.disclosureText)
        incomplete = isIncomplete
    }

    /// The time for which the reviews of another person are awaited before they can be asked for
    /// again.
    public static let answerMax = Duration.seconds(10)

    /// The sentence to read before a review is shown to others.
    public static let disclosureText: Sentence =
        "A review that you show contains who wrote it and when the two of you matched, signed by both."
}
