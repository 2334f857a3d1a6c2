import PluginKit
import Records
import TestSupport
import Testing

/// Every plugin may read the views that plugins declare about their groups and mates.
@Suite struct SharedViewsTests {
    /// A plugin that reads what others declare, and precedes them in the list.
    private struct Reader: Plugin {
        static let manifest = Manifest(
            id: "reader", version: 1,
            views: [
                Manifest.View(
                    "reader_all",
                    """
                    SELECT 'mate' AS what, person FROM host_mate
                    UNION ALL SELECT 'blocked', person FROM host_blocked
                    UNION ALL SELECT feature || ' ' || title, space FROM host_group
                    UNION ALL SELECT name, person FROM host_group_name
                    """)
            ])
        let context: PluginContext
        init(context: PluginContext) { self.context = context }
    }

    /// A plugin whose groups have fixed names.
    private struct Namer: Plugin {
        static let manifest = Manifest(
            id: "namer", version: 1,
            views: [
                Manifest.View(
                    "namer_titles", "SELECT 7 AS space, 'At the gate' AS title, NULL AS over_ms"),
                Manifest.View(
                    "namer_names", "SELECT 7 AS space, NULL AS person, 'Bori' AS name"),
            ], groups: .init(titlesView: "namer_titles", namesView: "namer_names"))
        init(context: PluginContext) {}
    }

    private func read(_ host: TestHost) async throws -> [String] {
        guard let reader = host.plugin(Reader.self) else { return [] }
        return try await reader.context.replica.rows(
            "SELECT what FROM reader_all ORDER BY what"
        ).compactMap { $0.text("what") }
    }

    @Test func `a plugin reads the views of others at any position in the list`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [Reader.self, Namer.self, Friendly.self])
            let other = try await network.host(seed: 2, [Friendly.self])
            try await host.plugin(Friendly.self)?.befriend(other.me.person)
            #expect(try await read(host) == ["Bori", "mate", "namer At the gate"])
        }
    }

    @Test func `the shared views are empty if no plugin declares anything`() async throws {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [Reader.self])
            #expect(try await read(host).isEmpty)
        }
    }

    @Test func `two plugins can both name groups`() throws {
        let views = SharedViews.views(over: [Namer.self, Namer.self])
        let groups = try #require(views.first { $0.name == SharedViews.groups })
        #expect(groups.sql.contains("UNION ALL"))
        #expect(Set(views.map(\.name)) == SharedViews.names)
    }
}
