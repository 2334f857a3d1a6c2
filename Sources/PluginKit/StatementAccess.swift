/// Statements that this person signs for people who share no space with them, and the check of such
/// statements. Only for a plugin that declares ``Manifest/Service/statements``.
///
/// A record proves its author to those who share its space. A statement proves it to everyone, so
/// it can be passed on:
/// ```swift
/// let fact = try await context.statements.sign(Array("We met.".utf8))
/// if let statement = await context.statements.check(fact) { print(statement.person) }
/// ```
public protocol StatementAccess: Sendable {
    /// Signs bytes, at most 4096, as this person. A statement of one plugin is none of another.
    /// - Returns: the statement with all that is needed to check it: about 250 bytes more than the
    ///   content on a person's first device, and up to 2.5 KiB more on others.
    /// - Throws: ``CommandFault/refused(_:)`` without the service,
    ///   ``CommandFault/failed(_:)`` if the content is too long.
    func sign(_ content: [UInt8]) async throws -> [UInt8]
    /// Checks a statement that this plugin signed on any device; nil if it is none. The check costs
    /// two signatures, and two more for each device that lists the signing one.
    func check(_ statement: [UInt8]) async -> CheckedStatement?
}

/// A statement whose signatures were checked.
public struct CheckedStatement: Hashable, Sendable {
    /// The person who signed it.
    public let person: PersonID
    /// The signed bytes.
    public let content: [UInt8]

    /// Names the parts.
    public init(person: PersonID, content: [UInt8]) {
        self.person = person
        self.content = content
    }
}
