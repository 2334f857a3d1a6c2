internal import PluginKit

extension PluginServices: StatementAccess {
    func sign(_ content: [UInt8]) async throws -> [UInt8] {
        try require(.statements)
        return try await node.sign(content, topic: manifest.id)
    }

    func check(_ statement: [UInt8]) async -> CheckedStatement? {
        guard manifest.services.contains(.statements) else { return nil }
        return await node.check(statement, topic: manifest.id)
    }
}
