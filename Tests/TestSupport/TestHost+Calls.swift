public import PluginKit

extension TestHost {
    /// Performs a command by its contract, as a panel does.
    /// - Throws: ``CommandFault``.
    @discardableResult
    public func call<Request, Answer>(
        _ command: Command<Request, Answer>, _ request: Request
    ) async throws -> Answer {
        let declaration = command.declaration
        guard case .object(let values) = Arguments(request).json else {
            preconditionFailure("a request is an object")
        }
        return try await run(declaration.noun, declaration.verb, values).decoded()
    }

    /// Performs a command without parameters.
    @discardableResult
    public func call<Answer>(_ command: Command<NoParameters, Answer>) async throws -> Answer {
        try await call(command, NoParameters())
    }
}
