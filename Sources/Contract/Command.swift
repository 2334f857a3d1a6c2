/// The contract of one command: its name, its help, the type of its request and the type of its
/// answer.
///
/// A plugin declares its commands once, in its `API/` target. The local API's route and OpenAPI
/// entry, the command line's verb with help and completion, and the typed call of a panel or a test
/// all derive from that value:
///
///     public enum WaveCommands {
///         public static let send = Command<SendWave, SentWave>(
///             .action, "wave", "send", help: "Waves at a mate.")
///     }
///     let sent = try await node.call(WaveCommands.send, .init(to: NameOrKey(mate)))
public struct Command<Request: CommandRequest, Answer: Codable & Sendable>: Sendable {
    /// The command without its types, for code that treats all commands alike.
    public let declaration: CommandDeclaration

    /// Declares a command.
    /// - Parameters:
    ///   - kind: `.query` if it only reads, else `.action`.
    ///   - noun: the subject of the command, as in `walk`.
    ///   - verb: the action of the command, as in `ask`.
    ///   - aliases: other words for the verb on the command line; see
    ///     ``CommandDeclaration/aliases``.
    ///   - help: one sentence for help and OpenAPI.
    ///   - follows: the events after which a query may have a new answer; see
    ///     ``CommandDeclaration/follows``.
    ///   - isEndless: whether the command line repeats it even without `--follow`.
    ///   - topics: the command's parts of help topics, such as an example.
    public init(
        _ kind: CommandDeclaration.Kind, _ noun: String, _ verb: String, aliases: [String] = [],
        help: String,
        follows: [EventDeclaration] = [], isEndless: Bool = false, topics: [HelpTopicPart] = []
    ) {
        declaration = CommandDeclaration(
            noun, verb, kind, aliases: aliases, help: help,
            parameters: Parameter.all(of: Request.self),
            memberCountMin: Request.memberCountMin, result: .of(Answer.self), follows: follows,
            isEndless: isEndless, topics: topics)
    }
}

/// The request of a command. Its stored properties are the command's parameters; an optional one
/// may be left out.
///
///     public struct SendWave: CommandRequest {
///         public var to: NameOrKey
///         public var greeting: Text<1, 50>?
///
///         public static let help = [
///             "to": "The mate's name or key; six digits of a key are enough.",
///             "greeting": "A few words.",
///         ]
///         public static let positional = ["to"]
///     }
public protocol CommandRequest: Codable, Hashable, Sendable {
    /// A sentence of help for each property, by its name in JSON.
    static var help: [String: String] { get }
    /// The properties that the command line reads by position instead of as an option, in order.
    static var positional: [String] { get }
    /// The minimum number of properties that a request must have.
    static var memberCountMin: Int { get }
}

extension CommandRequest {
    /// An empty list.
    public static var positional: [String] { [] }
    /// Zero.
    public static var memberCountMin: Int { 0 }
}

/// The request of a command without parameters.
public struct NoParameters: CommandRequest {
    /// Creates a request.
    public init() {}
    /// The help of each property.
    public static let help: [String: String] = [:]
}

/// The answer of a command that reports only that it is done.
public struct Done: Codable, Hashable, Sendable {
    /// Creates an answer.
    public init() {}
}

extension Parameter {
    /// Returns the parameters of a request type, those read by position first.
    static func all(of request: (some CommandRequest).Type) -> [Parameter] {
        let members = Schema.of(request).members
        let (names, help) = (Set(members.map(\.name)), request.help)
        precondition(
            names == Set(help.keys) && names.isSuperset(of: request.positional),
            "\(request): 'help' has one sentence for each property, "
                + "and 'positional' names properties")
        let parameters = members.map { member in
            Parameter(
                name: member.name, schema: member.schema, help: help[member.name] ?? "",
                isRequired: member.isRequired,
                isPositional: request.positional.contains(member.name))
        }
        let positional = request.positional.compactMap { name in
            parameters.first { $0.name == name }
        }
        return positional + parameters.filter { !$0.isPositional }
    }
}
