public import PluginKit

/// Anything in a test that performs commands: a whole node, a host of plugins, a simulated node.
///
/// A test performs a command by its contract:
///
///     let made = try await node.call(GroupCommands.create, .init(name: Text("Walkers")))
///     #expect(made.state == .member)
public protocol CommandPerformer: Sendable {
    /// Performs a command with values that its request type may be unable to hold, and returns the
    /// answer as JSON.
    ///
    /// Only a test about such a value, or about the JSON of an answer, calls this; every other test
    /// uses ``call(_:_:)``.
    /// - Throws: ``CommandFault``, also for values that the command does not admit.
    func answer(
        to command: CommandDeclaration, _ values: [String: JSONValue]
    ) async throws -> JSONValue
}

extension CommandPerformer {
    /// Performs a command by its contract, as a panel does.
    /// - Throws: ``CommandFault`` if the command is refused, ``AnswerMismatch`` if its answer does
    ///   not fit the declared type.
    @discardableResult
    public func call<Request, Answer>(
        _ command: Command<Request, Answer>, _ request: Request
    ) async throws -> Answer {
        guard case .object(let values) = Arguments(request).json else {
            preconditionFailure("a request is an object")
        }
        let answer = try await answer(to: command.declaration, values)
        do {
            return try answer.decoded()
        } catch {
            throw AnswerMismatch(route: command.declaration.route, reason: "\(error)")
        }
    }

    /// Performs a command without parameters.
    @discardableResult
    public func call<Answer>(_ command: Command<NoParameters, Answer>) async throws -> Answer {
        try await call(command, NoParameters())
    }
}

/// An answer that does not fit the type that its command declares.
public struct AnswerMismatch: Error, CustomStringConvertible {
    /// The command's route.
    public let route: String
    /// The first member that does not fit, as a sentence.
    public let reason: String

    /// The whole sentence.
    public var description: String { "the answer of \(route) does not fit its type: \(reason)" }
}
