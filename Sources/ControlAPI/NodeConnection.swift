public import Foundation

/// What a user interface needs of a node: ask, act, and hear what changed.
///
/// A path is "noun/verb", without the API's version. Every method throws ``NodeRefusal`` where the
/// node answered with an error, and ``NodeUnreachable`` where it did not answer at all.
public protocol NodeConnection: Sendable {
    /// Asks a query and decodes its answer.
    func get<Answer: Decodable & Sendable>(
        _ path: String, query: [String: String], as type: Answer.Type
    ) async throws -> Answer

    /// Performs an action; the body is sent as a JSON object and the answer is dropped.
    func post(_ path: String, _ body: some Encodable & Sendable) async throws

    /// Performs an action and decodes its answer.
    func post<Answer: Decodable & Sendable>(
        _ path: String, _ body: some Encodable & Sendable, as type: Answer.Type
    ) async throws -> Answer

    /// What changes from now on. The stream throws when the node goes away.
    func events() -> AsyncThrowingStream<NodeEvent, any Error>
}

extension NodeConnection {
    /// Asks a query that takes no parameters.
    public func get<Answer: Decodable & Sendable>(
        _ path: String, as type: Answer.Type
    ) async throws -> Answer {
        try await get(path, query: [:], as: type)
    }

    /// Performs an action that takes no parameters.
    public func post(_ path: String) async throws {
        try await post(path, [String: String]())
    }
}

/// One message of the node's event stream: something under this topic changed.
public struct NodeEvent: Sendable, Equatable {
    /// One of the API's topics, such as "mates".
    public var topic: String
    /// The JSON that came with it; empty where nothing did.
    public var body: Data

    /// An event as it arrived.
    public init(topic: String, body: Data = Data()) {
        self.topic = topic
        self.body = body
    }
}

/// The node answered, and its answer is no.
public struct NodeRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error, such as "refused" or "conflict".
    public var code: String
    /// A sentence that says what to do.
    public var message: String
    /// The field of the request that is wrong, where there is one.
    public var field: String?

    /// A refusal as the node sent it.
    public init(code: String, message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }

    /// The node's own sentence.
    public var description: String { message }
}

/// No node answers on the socket. Trying again helps once one is started.
public struct NodeUnreachable: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried and what came of it, as a sentence.
    public var reason: String

    /// An unreachable node, with the reason as a sentence.
    public init(reason: String) {
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
