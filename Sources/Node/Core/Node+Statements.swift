internal import Identity
package import PluginKit
internal import Records
internal import Replica

// Statements that plugins sign and check.
extension Node {
    /// Signs a statement as this person.
    /// - Throws: ``CommandFault/failed(_:)``.
    package func sign(_ content: [UInt8], topic: String) async throws -> [UInt8] {
        let record = await replica.personRecord(me) ?? identity.person
        do {
            return try SignedStatement(content, topic: topic, by: identity.key, of: record).encoded
        } catch {
            throw CommandFault.failed("A statement could not be signed on this device.")
        }
    }

    /// Checks a statement of any person; nil if it is none.
    package nonisolated func check(_ statement: [UInt8], topic: String) async -> CheckedStatement? {
        CheckedStatement(statement, topic: topic)
    }
}

extension CheckedStatement {
    fileprivate init?(_ bytes: [UInt8], topic: String) {
        var reader = ByteReader(bytes)
        guard let statement = try? SignedStatement(from: &reader, topic: topic), reader.isAtEnd
        else { return nil }
        self.init(person: statement.person, content: statement.content)
    }
}
