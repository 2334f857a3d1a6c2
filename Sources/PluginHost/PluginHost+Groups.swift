internal import PluginKit
package import Records

extension PluginHost {
    /// Returns the title that a plugin of this node gives a group; nil if none does. Others may
    /// have written it, so cut what you show of it.
    package func title(
        of group: SpaceID, readingFrom node: any NodeServices
    ) async throws -> String? {
        try await node.read(
            """
            SELECT g.title AS title FROM \(SharedViews.groups) g
            JOIN waggle_space s ON s.space = g.space WHERE s.id = ?
            """, [.bytes(group.bytes)], allowedTables: SharedViews.names
        ).first?.text("title")
    }
}
