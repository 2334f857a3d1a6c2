internal import Synchronization

/// A command without its types: derived from a ``Command``, for code that treats all commands
/// alike, such as the local API's server, its description and the command line.
public struct CommandDeclaration: Hashable, Sendable {
    /// The subject of the command, as in `walk`.
    public let noun: String
    /// The action of the command, as in `ask`.
    public let verb: String
    /// Other words for the verb that the command line takes too, such as that of the window's
    /// button. The local API has a route for the verb alone.
    public let aliases: [String]
    /// One sentence for help and OpenAPI.
    public let help: String
    /// The kind of the command: reading or changing.
    public let kind: Kind
    /// The parameters, those read by position first.
    public let parameters: [Parameter]
    /// The minimum number of parameters that must be given, required ones included.
    public let memberCountMin: Int
    /// The shape of the answer. It is derived when it is first read: few processes need that of
    /// many answers, and deriving all of them would be a good part of a start.
    public var result: Schema { answer.schema }
    /// The events after which a query may have a new answer. If there are none, it is those whose
    /// topic is the noun. With `--follow`, the command line repeats the query after each of them
    /// until Ctrl-C; the local API answers once, as always.
    ///
    /// If the query has an `after` parameter and its answer has an `after` member, each repetition
    /// continues where the previous answer ended, and only answers that are not empty are printed.
    public let follows: [EventDeclaration]
    /// Whether the command line repeats the query even without `--follow`.
    public let isEndless: Bool
    /// The command's parts of help topics, in the order in which they are shown.
    public let topics: [HelpTopicPart]
    private let answer: AnswerShape

    /// The kind of a command: reading or changing.
    public enum Kind: Hashable, Sendable {
        /// Reads: `GET`, parameters in the query string.
        case query
        /// Changes something: `POST`, parameters in a JSON object.
        case action
    }

    /// Declares a command without types: one of the command line's own. For any other, see
    /// ``Command``.
    public init(
        _ noun: String, _ verb: String, _ kind: Kind, aliases: [String] = [], help: String,
        parameters: [Parameter] = [], memberCountMin: Int = 0,
        result: @autoclosure @escaping @Sendable () -> Schema,
        follows: [EventDeclaration] = [], isEndless: Bool = false, topics: [HelpTopicPart] = []
    ) {
        self.noun = noun
        self.verb = verb
        self.aliases = aliases
        self.kind = kind
        self.help = help
        self.parameters = parameters
        self.memberCountMin = memberCountMin
        answer = AnswerShape(result)
        self.follows = follows
        self.isEndless = isEndless
        self.topics = topics
    }

    /// The command's path in the local API.
    public var route: String { "/v1/\(noun)/\(verb)" }

    /// The schema of the request, as a JSON object.
    public var request: Schema {
        .object(
            parameters.map { Schema.Member($0.name, $0.schema, isRequired: $0.isRequired) },
            countMin: memberCountMin)
    }
}

/// The shape of a command's answer, which is derived once. It does not count when declarations are
/// compared: a command has one type of answer, so the other properties tell commands apart.
private final class AnswerShape: Hashable, Sendable {
    private let derive: @Sendable () -> Schema
    private let derived = Mutex<Schema?>(nil)

    init(_ derive: @escaping @Sendable () -> Schema) { self.derive = derive }

    var schema: Schema {
        derived.withLock { derived in
            let schema = derived ?? derive()
            derived = schema
            return schema
        }
    }

    static func == (_: AnswerShape, _: AnswerShape) -> Bool { true }
    func hash(into _: inout Hasher) {}
}

/// One parameter of a command.
public struct Parameter: Hashable, Sendable {
    /// The camel-case name in JSON; the command line spells it `--camel-case`.
    public let name: String
    /// The shape and the limits of its value.
    public let schema: Schema
    /// A sentence for help and OpenAPI.
    public let help: String
    /// Whether it must be given.
    public let isRequired: Bool
    /// Whether the command line reads it by position instead of as an option.
    public let isPositional: Bool

    /// Declares a parameter that must be given.
    public static func required(
        _ name: String, _ schema: Schema, _ help: String, positional: Bool = false
    ) -> Parameter {
        Parameter(
            name: name, schema: schema, help: help, isRequired: true, isPositional: positional)
    }

    /// Declares a parameter that may be left out.
    public static func optional(
        _ name: String, _ schema: Schema, _ help: String, positional: Bool = false
    ) -> Parameter {
        Parameter(
            name: name, schema: schema, help: help, isRequired: false, isPositional: positional)
    }

    /// Whether it is a list, which the command line reads as a repeated option.
    public var isList: Bool {
        if case .list = schema { true } else { false }
    }
}
