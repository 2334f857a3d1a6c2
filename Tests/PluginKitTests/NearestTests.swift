import Foundation
import PluginKit
import TestSupport
import Testing

/// The guide's query for records in an area, on the product's plugin host.
@Suite struct NearestTests {
    private static func guideQuery() throws -> String {
        let guide = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/plugins.md")
        let blocks = try String(contentsOf: guide, encoding: .utf8)
            .components(separatedBy: "```sql\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        return try #require(blocks.first { $0.contains("waggle_area") })
    }

    private func withSpots(
        _ body: (TestHost, SpotPlugin, String) async throws -> Void
    ) async throws {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [SpotPlugin.self, Friendly.self])
            try await body(host, try #require(host.plugin(SpotPlugin.self)), Self.guideQuery())
        }
    }

    private static func seoul() throws -> Point {
        try Point(latitude: 37.5665, longitude: 126.9780)
    }

    @Test func `pages by distance have each record once, also those that arrive meanwhile`()
        async throws
    {
        try await withSpots { _, plugin, query in
            for number in 0..<50 {
                try await plugin.add(
                    Point(latitude: 37.5665 + Double(number % 25) / 1000, longitude: 126.9780))
            }
            try await plugin.add(nil)
            try await plugin.add(Point(latitude: -37.5665, longitude: 126.9780))
            let area = try #require(Area(around: Self.seoul(), radiusMetres: 5000))
            var found: [EntityID] = []
            var (metres, entity, sizes): (Double, [UInt8], [Int]) = (-1, [], [])
            while true {
                let page = try await plugin.page(query, in: area, after: metres, entity)
                sizes.append(page.count)
                found += page.compactMap { $0.entity("entity") }
                guard page.count == 20, let last = page.last else { break }
                metres = try #require(last.real("metres"))
                entity = try #require(last.bytes("entity"))
                // One before the next page, which no page has any more, and one after it.
                try await plugin.add(Self.seoul())
                try await plugin.add(Point(latitude: 37.61, longitude: 126.9780))
            }
            #expect(sizes == [20, 20, 12])
            #expect(Set(found).count == 52)
        }
    }

    @Test func `the query is asked for ever larger areas until there are enough rows`()
        async throws
    {
        try await withSpots { host, plugin, query in
            for number in 1...40 {
                try await plugin.add(
                    Point(latitude: 37.5665 + Double(number) / 1000, longitude: 126.9780))
            }
            let country = try #require(Area(around: Self.seoul(), radiusMetres: 400_000))
            _ = host.resetReadsCount()
            let page = try await plugin.page(query, in: country)
            #expect(page.count == 20)
            #expect(page.last?.real("metres").map { $0.rounded() } == 2224)
            // 100, 200, 400, 800, 1600, 3200 m
            #expect(host.resetReadsCount() == 6)
            let yard = try #require(Area(around: Self.seoul(), radiusMetres: 250))
            #expect(try await plugin.page(query, in: yard).count == 2)
            #expect(host.resetReadsCount() == 3)
            let spot = try #require(Area(around: Self.seoul(), radiusMetres: 0))
            #expect(try await plugin.page(query, in: spot).isEmpty)
            #expect(host.resetReadsCount() == 1)
            let earth = try #require(Area(around: Self.seoul(), radiusMetres: .infinity))
            let last = try await plugin.page(query, in: earth, after: 4_000_000)
            #expect(last.isEmpty)
        }
    }

    @Test func `another plugin cannot read the index`() async throws {
        struct Reader: Plugin {
            static let manifest = Manifest(id: "reader", version: 1)
            let context: PluginContext
            init(context: PluginContext) { self.context = context }
        }
        try await TestNetwork.with { network in
            let host = try await network.host(
                seed: 1, [SpotPlugin.self, Reader.self, Friendly.self])
            let reader = try #require(host.plugin(Reader.self))
            await #expect(throws: (any Error).self) {
                _ = try await reader.context.replica.rows("SELECT id FROM spot_spots_near")
            }
        }
    }
}
