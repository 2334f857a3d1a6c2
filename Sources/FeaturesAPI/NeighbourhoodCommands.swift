public import Contract

/// The commands of neighbourhoods: places that anybody on the network joins by name, to read and
/// write there.
///
/// ```swift
/// let joined = try await node.call(
///     NeighbourhoodCommands.join, JoinNeighbourhood(name: try NeighbourhoodName("Seongsu")))
/// print(joined.audience)
/// ```
public enum NeighbourhoodCommands {
    /// Joins a neighbourhood with all devices of this person.
    public static let join = Command<JoinNeighbourhood, JoinedNeighbourhood>(
        .action, "neighbourhood", "join",
        help: "Joins a neighbourhood by its name; everyone who joined the same name sees what you "
            + "write there.",
        topics: [
            .example(
                .privacy, command: "waggle neighbourhood join Seongsu --yes",
                effect: "reads and writes with everyone who joined the same name")
        ])
    /// Leaves a neighbourhood and deletes what it brought.
    public static let leave = Command<LeaveNeighbourhood, LeftNeighbourhood>(
        .action, "neighbourhood", "leave",
        help: "Leaves a neighbourhood and deletes what it brought to your devices.")
    /// Lists the neighbourhoods that this person joined.
    public static let list = Command<NoParameters, NeighbourhoodList>(
        .query, "neighbourhood", "list", help: "Lists the neighbourhoods that you joined.",
        follows: [NeighbourhoodEvents.changed.declaration])
}

/// The event of neighbourhoods.
public enum NeighbourhoodEvents {
    /// A neighbourhood was joined or left, on any device of this person.
    public static let changed = Event<NeighbourhoodChange>(
        "neighbourhoods", help: "You joined or left a neighbourhood.")
}

/// The body of ``NeighbourhoodEvents/changed``.
public struct NeighbourhoodChange: EventBody {
    /// Creates the value.
    public init() {}

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? { "Your neighbourhoods changed." }
}

/// The request of `neighbourhood join`.
public struct JoinNeighbourhood: CommandRequest {
    /// The neighbourhood's name.
    public var name: NeighbourhoodName
    /// The person's confirmation: without it, the first neighbourhood is not joined.
    public var yes: Bool?

    /// Creates the value.
    public init(name: NeighbourhoodName, yes: Bool? = nil) {
        self.name = name
        self.yes = yes
    }

    /// A sentence that says who sees what of a person who joined a neighbourhood.
    public static let audience: Sentence = """
        Everyone whose device is linked with yours and who joined the same name sees what you \
        write there and your key, and passes it on. Strangers can find out whether you joined a \
        name that they guess. What you write disappears after 30 days.
        """

    /// The help of each property.
    public static let help = [
        "name": "The name, up to 64 bytes; capitals and small letters are the same.",
        "yes": "Confirms that you know who sees what; needed for the first neighbourhood.",
    ]
    /// The properties read by position.
    public static let positional = ["name"]
}

/// The answer of `neighbourhood join`.
public struct JoinedNeighbourhood: Codable, Hashable, Sendable {
    /// The id of the neighbourhood's space, the same for everyone.
    public var id: Key
    /// The name as it was typed.
    public var name: NeighbourhoodName.Shown
    /// A sentence that says who sees what.
    public var audience: ShownSentence

    /// Creates the value.
    public init(id: Key, name: String, audience: Sentence) {
        self.id = id
        self.name = NeighbourhoodName.Shown(clipping: name)
        self.audience = ShownSentence(audience)
    }
}

/// The request of `neighbourhood leave`.
public struct LeaveNeighbourhood: CommandRequest {
    /// The neighbourhood's name.
    public var name: NeighbourhoodName

    /// Creates the value.
    public init(name: NeighbourhoodName) { self.name = name }

    /// Returns a sentence that says what leaving deletes.
    /// - Parameter peopleCount: the number of people who wrote what is stored here.
    public static func deleted(peopleCount: Int) -> Sentence {
        let brought = Sentence(
            count: peopleCount,
            one: "What 1 person wrote there is deleted from your devices.",
            other: "What \(peopleCount) people wrote there is deleted from your devices.")
        return """
            \(brought) What you wrote stays with others until they delete it, after 30 days at \
            the latest.
            """
    }

    /// The help of each property.
    public static let help = [
        "name": "The name, up to 64 bytes; capitals and small letters are the same."
    ]
    /// The properties read by position.
    public static let positional = ["name"]
}

/// The answer of `neighbourhood leave`.
public struct LeftNeighbourhood: Codable, Hashable, Sendable {
    /// The name as it was typed when it was joined.
    public var name: NeighbourhoodName.Shown
    /// A sentence that says what is deleted.
    public var deleted: ShownSentence

    /// Creates the value.
    public init(name: String, deleted: Sentence) {
        self.name = NeighbourhoodName.Shown(clipping: name)
        self.deleted = ShownSentence(deleted)
    }
}

/// The answer of `neighbourhood list`.
public struct NeighbourhoodList: Codable, Hashable, Sendable {
    /// The joined neighbourhoods, in the order of their names.
    public var neighbourhoods: [Entry]

    /// Creates the value.
    public init(neighbourhoods: [Entry]) { self.neighbourhoods = neighbourhoods }

    /// A joined neighbourhood.
    public struct Entry: Codable, Hashable, Sendable {
        /// The id of the neighbourhood's space, the same for everyone.
        public var id: Key
        /// The name as it was typed.
        public var name: NeighbourhoodName.Shown
        /// The number of people who wrote what is stored here.
        public var peopleCount: Count
        /// The time at which it was joined.
        public var joinedMs: Timestamp?

        /// Creates the value.
        public init(id: Key, name: String, peopleCount: Int, joinedMs: Timestamp? = nil) {
            self.id = id
            self.name = NeighbourhoodName.Shown(clipping: name)
            self.peopleCount = Count(clamping: peopleCount)
            self.joinedMs = joinedMs
        }
    }
}
