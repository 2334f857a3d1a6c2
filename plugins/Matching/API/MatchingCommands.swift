public import Contract

/// The commands of study matching.
///
/// ```swift
/// try await node.call(MatchingCommands.wishes, .init(wish: WishList(typed: "coffee run")))
/// try await node.call(MatchingCommands.look)
/// let found = try await node.call(MatchingCommands.people, .init())
/// if let first = found.people.first {
///     try await node.call(MatchingCommands.request, .init(person: NameOrKey(first.person)))
/// }
/// ```
public enum MatchingCommands {
    /// Shows my state.
    public static let status = Command<NoParameters, MatchingStatus>(
        .query, "matching", "status",
        help: "Shows whether you look for a study partner, your wishes, and your match.")
    /// Sets my wishes.
    public static let wishes = Command<SetWishes, MatchingStatus>(
        .action, "matching", "wishes",
        help: "Sets what you look for: at most 8 words of 1 to 8 characters, with spaces between. "
            + "Without a word you look for anything.",
        topics: [
            .example(
                .people, command: "waggle matching wishes coffee run",
                effect: "says what you look for in a study partner")
        ])
    /// Looks for people.
    public static let look = Command<NoParameters, MatchingStatus>(
        .action, "matching", "look",
        help: "Looks for people within 700 m who look too. They see your wishes, your location "
            + "rounded to 100 m, and your age and gender if you gave them.",
        topics: [
            .text(
                .privacy,
                "Looking for a match shows others who look your wishes and location to 100 m.")
        ])
    /// Stops looking.
    public static let stop = Command<NoParameters, MatchingStatus>(
        .action, "matching", "stop",
        help: "Stops looking, and takes back your requests.")
    /// Lists the people who look.
    public static let people = Command<ListMatchingPeople, MatchingPeople>(
        .query, "matching", "people",
        help: "Lists the people within 700 m who look too; those who share a wish come first.")
    /// Asks a person.
    public static let request = Command<NameMatchingPerson, MatchingStatus>(
        .action, "matching", "request",
        help: "Asks a person to match. If they have asked you, this accepts.")
    /// Accepts a person's request.
    public static let accept = Command<NameMatchingPerson, MatchingStatus>(
        .action, "matching", "accept",
        help: "Accepts a person's request; the match stands once they confirm within 60 seconds.")
    /// Declines a person's request.
    public static let decline = Command<NameMatchingPerson, MatchingStatus>(
        .action, "matching", "decline", help: "Declines a person's request.")
    /// Takes back a request, an acceptance or a match.
    public static let cancel = Command<CancelMatching, MatchingStatus>(
        .action, "matching", "cancel",
        help: "Ends your match, or takes back your acceptance; with a person, your request to "
            + "them. Ending a match costs 1, 2, and then 3 minutes before you can look again.")
    /// Reviews the person of a match.
    public static let review = Command<WriteReview, MatchingReview>(
        .action, "matching", "review",
        help: "Reviews the person of a match, from 30 minutes after it began. They receive it.")
    /// Takes a match off the list of those to review.
    public static let skipReview = Command<SkipReview, MatchingReviews>(
        .action, "matching", "skip-review",
        help: "Takes a match off the list of those to review. You can still review it.")
    /// Lists reviews.
    public static let reviews = Command<ListReviews, MatchingReviews>(
        .query, "matching", "reviews",
        help: "Lists the reviews you wrote and received, and whom you can review; with a person "
            + "who looks, the reviews that they show.")
    /// Shows a review on my card, or hides it.
    public static let show = Command<ShowReview, MatchingReviews>(
        .action, "matching", "show",
        help: "Shows a review that you received to people who look, or hides it. It tells them "
            + "who wrote it and when you matched, with both signatures.",
        topics: [
            .text(
                .privacy,
                "A review that you show tells who wrote it and when the two of you matched.")
        ])
    /// Shows my matching card.
    public static let card = Command<NoParameters, MatchingCard>(
        .query, "matching", "card",
        help: "Shows what people who look see of you: your age, your gender and your reviews.",
        follows: [MatchingEvents.changed.declaration])
    /// Changes my matching card.
    public static let editCard = Command<EditMatchingCard, MatchingCard>(
        .action, "matching", "edit-card",
        help: "Changes what people who look see of you: your age and gender.")
    /// Shows my filters.
    public static let filters = Command<NoParameters, MatchingFilters>(
        .query, "matching", "filters", help: "Shows your filters for the list of people.",
        follows: [MatchingEvents.changed.declaration])
    /// Changes my filters.
    public static let editFilters = Command<EditMatchingFilters, MatchingFilters>(
        .action, "matching", "edit-filters",
        help: "Changes whom the list shows. Nobody else learns your filters.")

    /// The largest distance of a listed person whose location is known, in metres.
    public static let distanceMetresMax = 700.0
    /// The time after which a match can be reviewed.
    public static let reviewDelay = Duration.seconds(30 * 60)
    /// The pauses before looking again, after the first, the second, and the third and each later
    /// cancel.
    public static let cancelPauses = [
        Duration.seconds(60), Duration.seconds(120), Duration.seconds(180),
    ]
}

/// The events of study matching.
public enum MatchingEvents {
    /// My state, the people who look, or reviews changed.
    public static let changed = Event<MatchingChange>(
        "matching", help: "Your match, the people who look, or reviews changed.")
}

/// The body of ``MatchingEvents/changed``.
public struct MatchingChange: EventBody {
    /// A part of the answers.
    public enum Part: String, OpenChoice {
        /// The answer of `matching status`.
        case status
        /// The answer of `matching people`.
        case people
        /// The answer of `matching reviews`.
        case reviews
        /// A part that a newer node added.
        case unknown
    }

    /// The part that changed; nil if any may have.
    public var part: Part?
    /// The person whose request, answer or reviews changed.
    public var person: Key?
    /// Whether a match began to stand.
    public var matched: Bool?

    /// Creates the value.
    public init(part: Part? = nil, person: Key? = nil, matched: Bool? = nil) {
        self.part = part
        self.person = person
        self.matched = matched
    }

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? {
        if matched == true { return "You have a match." }
        switch part {
        case .status: return "Your matching changed."
        case .people: return "The people who look for a match changed."
        case .reviews: return "Reviews of matches changed."
        case .unknown, nil: return nil
        }
    }
}
