public import Contract
public import Foundation

/// The connection of a user interface to a node: commands, and events when something changed.
///
/// Every method throws ``NodeRefusal`` if the node answered with an error, and ``NodeUnreachable``
/// if it did not answer.
///
///     let sent = try await node.call(WaveCommands.send, .init(to: NameOrKey(mate)))
public protocol NodeConnection: Sendable {
    /// Performs a command and returns its answer as JSON; ``call(_:_:)`` is its typed form.
    /// - Parameter id: the id of an action that may be sent again with the same id if no answer
    ///   arrives; nil if it is never sent again.
    func answer(
        to command: CommandDeclaration, _ arguments: Arguments, id: ActionID?
    ) async throws -> JSONValue

    /// Returns the changes from now on. The stream throws when the node becomes unreachable.
    func events() -> AsyncThrowingStream<NodeEvent, any Error>
}

extension NodeConnection {
    /// Performs a command that is never sent again.
    public func answer(
        to command: CommandDeclaration, _ arguments: Arguments
    ) async throws -> JSONValue {
        try await answer(to: command, arguments, id: nil)
    }

    /// Performs a command by its contract. The answer is decoded off the caller's actor: a list of
    /// hundreds of people must not hold up the main loop of a window.
    /// - Throws: ``NodeRefusal``, ``NodeUnreachable``, or ``JSONValue/Mismatch`` if the answer does
    ///   not fit its type.
    public func call<Request, Answer>(
        _ command: Command<Request, Answer>, _ request: Request
    ) async throws -> Answer {
        try await decoded(answer(to: command.declaration, Arguments(request)))
    }

    /// Performs a command without parameters.
    public func call<Answer>(_ command: Command<NoParameters, Answer>) async throws -> Answer {
        try await call(command, NoParameters())
    }
}

@concurrent
private func decoded<Answer: Decodable & Sendable>(_ answer: JSONValue) async throws -> Answer {
    do {
        return try answer.decoded()
    } catch let fault as CommandFault {
        // A constraint of the answer's type, which is no fault of the user.
        throw CommandFault.failed("Waggle's answer cannot be read: \(fault.reason)")
    }
}

/// One message of the node's event stream: something under this topic changed.
public struct NodeEvent: Sendable, Equatable {
    /// One of the API's topics, such as "mates".
    public var topic: String
    /// The JSON that came with it; no bytes if none came.
    public var body: Data

    /// Creates an event from its topic and body.
    public init(topic: String, body: Data = Data()) {
        self.topic = topic
        self.body = body
    }
}

/// An error that the node answered with.
public struct NodeRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error, such as "refused" or "conflict".
    public var code: String
    /// A sentence that says what to do.
    public var reason: Sentence
    /// The wrong field of the request, if a field is wrong.
    public var field: String?

    /// Creates a refusal from the parts that the node sent.
    public init(code: String, message: Sentence, field: String? = nil) {
        self.code = code
        self.reason = message
        self.field = field
    }

    /// The sentence in the language of the process.
    public var message: String { localized(reason) }

    /// The node's own sentence.
    public var description: String { message }
}

/// A failure to reach a node on the socket. Trying again helps once one is started.
public struct NodeUnreachable: Error, Equatable, Sendable, CustomStringConvertible {
    /// The attempt and its result.
    public var sentence: Sentence

    /// Creates the error from a reason, which is a sentence.
    public init(reason: Sentence) {
        sentence = reason
    }

    /// The reason in the language of the process.
    public var reason: String { localized(sentence) }

    /// The reason.
    public var description: String { reason }
}
