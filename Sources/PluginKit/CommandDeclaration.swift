/// What a command is called, takes and gives. From this one declaration come the local API's
/// route, its OpenAPI entry, the command line's verb with help and completion, and the action
/// that the window calls.
public struct CommandDeclaration: Hashable, Sendable {
    /// The thing the command is about, as in `walk`.
    public let noun: String
    /// What is done with it, as in `ask`.
    public let verb: String
    /// One sentence for help and OpenAPI.
    public let help: String
    public let kind: Kind
    public let parameters: [Parameter]
    public let result: Shape
    /// For a query that is worth asking again by itself: the events that say so. The command line
    /// then goes on printing answers until Ctrl-C; the local API answers once, as always.
    ///
    /// Where the query takes an `after` and answers with one, each question goes on where the
    /// answer before ended, and only answers with something in them are printed.
    public let follows: [String]

    /// Whether a command only reads.
    public enum Kind: Hashable, Sendable {
        /// Reads: `GET`, parameters in the query.
        case query
        /// Changes something: `POST`, parameters in a JSON object.
        case action
    }

    /// Declares a command.
    public init(
        _ noun: String, _ verb: String, _ kind: Kind, help: String, parameters: [Parameter] = [],
        result: Shape, follows: [String] = []
    ) {
        self.noun = noun
        self.verb = verb
        self.kind = kind
        self.help = help
        self.parameters = parameters
        self.result = result
        self.follows = follows
    }

    /// The route of the local API.
    public var route: String { "/v1/\(noun)/\(verb)" }
}

/// One parameter of a command.
public struct Parameter: Hashable, Sendable {
    /// The camel-case name in JSON; the command line spells it `--camel-case`.
    public let name: String
    public let type: Kind
    public let help: String
    public let isRequired: Bool
    /// Whether the command line takes it by its place instead of by an option.
    public let isPositional: Bool

    /// What a parameter may hold.
    public enum Kind: Hashable, Sendable {
        case text
        case integer
        case number
        /// A flag on the command line; `--no-<name>` says false.
        case boolean
        /// One of a few words.
        case choice([String])
        /// A file by its whole path; the command line takes one from where it is called.
        case path
        /// Several texts; on the command line separated by commas or given again.
        case texts
    }

    /// A parameter that must be given.
    public static func required(
        _ name: String, _ type: Kind, _ help: String, positional: Bool = false
    ) -> Parameter {
        Parameter(
            name: name, type: type, help: help, isRequired: true, isPositional: positional)
    }

    /// A parameter that may be left out.
    public static func optional(
        _ name: String, _ type: Kind, _ help: String, positional: Bool = false
    ) -> Parameter {
        Parameter(
            name: name, type: type, help: help, isRequired: false, isPositional: positional)
    }
}

/// The shape of a result, for OpenAPI.
public indirect enum Shape: Hashable, Sendable {
    case text
    case integer
    case number
    case boolean
    /// A JSON value of any shape.
    case any
    case list(Shape)
    /// An object; a key with `?` at its end may be absent.
    case object([String: Shape])

    /// An object without members: the command did it, and there is nothing more to say.
    public static let done = Shape.object([:])
}
