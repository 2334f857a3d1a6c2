public import Contract

/// The commands of interests.
///
/// ```swift
/// try await node.call(InterestsCommands.choose, .init(interest: ChosenInterests(mine)))
/// let status = try await node.call(InterestsCommands.look)
/// if let match = status.match { print(match.common.map(\.name)) }
/// ```
public enum InterestsCommands {
    /// Lists the interests that there are.
    public static let list = Command<ListInterests, InterestList>(
        .query, "interests", "list",
        help: "Lists the interests to choose from, or those that some letters find.")
    /// Chooses my interests.
    public static let choose = Command<ChooseInterests, InterestsStatus>(
        .action, "interests", "choose",
        help: "Chooses your 5 to 10 interests, in place of earlier ones.",
        topics: [
            .example(
                .people, command: "waggle interests choose coffee tea walks cats films",
                effect: "chooses what you like")
        ])
    /// Shows my interests, and who shares them.
    public static let show = Command<NoParameters, InterestsStatus>(
        .query, "interests", "show",
        help: "Shows your interests, and the person nearby who shares most of them.")
    /// Looks for people with the same interests.
    public static let look = Command<NoParameters, InterestsStatus>(
        .action, "interests", "look",
        help: "Looks for people with the same interests for 10 minutes. "
            + "Everyone nearby can read yours meanwhile.",
        topics: [
            .text(
                .privacy,
                "Looking for people with the same interests shows yours to everyone nearby.")
        ])
    /// Stops looking.
    public static let stop = Command<NoParameters, InterestsStatus>(
        .action, "interests", "stop", help: "Stops looking; your interests are shown to nobody.",
        topics: [
            .example(
                .privacy, command: "waggle interests stop",
                effect: "shows your interests to nobody any more")
        ])
    /// Exchanges profiles with the match, if they give this command within 5 s too.
    public static let met = Command<NoParameters, InterestsStatus>(
        .action, "interests", "met",
        help: "Exchanges profiles with the person who shares most interests, if both of you "
            + "give this command within 5 seconds. 'drop show' shows what becomes of it.",
        topics: [
            .example(
                .people, command: "waggle interests met",
                effect: "exchanges profiles, if the other person says so too")
        ])
    /// Shows the match whenever it changes.
    public static let watch = Command<NoParameters, InterestsStatus>(
        .query, "interests", "watch",
        help: "Shows the person who shares most interests, whenever that changes.",
        follows: [InterestsEvents.changed.declaration], isEndless: true)

    /// The duration of a look.
    public static let lookingDuration = Duration.seconds(600)
}

/// The events of interests.
public enum InterestsEvents {
    /// My interests, my looking or the people who look changed.
    public static let changed = Event<InterestsChange>(
        "interests", help: "Your interests, or the people who share them, changed.")
}

/// The body of ``InterestsEvents/changed``.
public struct InterestsChange: EventBody {
    /// A part of the answer of `interests show`.
    public enum Part: String, OpenChoice {
        /// My interests.
        case choice
        /// Whether I look.
        case looking
        /// The match, or how many people look.
        case people
        /// A part that a newer node added.
        case unknown
    }

    /// The part that changed; nil if any may have.
    public var part: Part?

    /// Creates the value.
    public init(part: Part? = nil) { self.part = part }

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? {
        switch part {
        case .choice: "Your interests changed."
        case .looking: "Looking for people with the same interests began or ended."
        case .people: "The people who look for the same interests changed."
        case .unknown, nil: nil
        }
    }
}

/// The request of `interests list`.
public struct ListInterests: CommandRequest {
    /// Letters of the names to find; all are listed without them.
    public var find: InterestLetters?

    /// Creates the value.
    public init(find: InterestLetters? = nil) { self.find = find }

    /// The help of each property.
    public static let help = ["find": "Letters in the name, in any language of Waggle."]
    /// The properties read by position.
    public static let positional = ["find"]
}

/// The answer of `interests list`.
public struct InterestList: Codable, Hashable, Sendable {
    /// The interests, group by group.
    public var interests: [Entry]

    /// Creates the value.
    public init(interests: [Entry]) { self.interests = interests }

    /// One interest to choose.
    public struct Entry: Codable, Hashable, Sendable {
        /// The word that `interests choose` reads.
        public var interest: InterestWord
        /// Its name.
        public var name: ShownSentence
        /// The group that it is in.
        public var group: InterestGroup
        /// Whether it is one of mine.
        public var chosen: Bool

        /// Creates the value.
        public init(_ interest: Interest, isChosen: Bool) {
            self.interest = InterestWord(interest)
            name = ShownSentence(interest.name)
            group = interest.group
            chosen = isChosen
        }
    }
}

/// The request of `interests choose`.
public struct ChooseInterests: CommandRequest {
    /// All my interests from now on.
    public var interest: ChosenInterests

    /// Creates the value.
    public init(interest: ChosenInterests) { self.interest = interest }

    /// The help of each property.
    public static let help = ["interest": "5 to 10 words of 'interests list'."]
    /// The properties read by position.
    public static let positional = ["interest"]
}
