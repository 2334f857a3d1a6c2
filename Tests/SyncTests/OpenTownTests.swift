import Foundation
import Simulation
import Testing

/// The simulated café with an open space, which `script/sim open` runs with more nodes.
struct OpenTownTests {
    private func live(_ plan: OpenTownPlan) async throws -> OpenTownResult {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "waggle-town-\(UUID().uuidString)").path
        return try await Stage().live(plan, directory: directory)
    }

    @Test func `posts reach everybody in a café once`() async throws {
        let result = try await live(OpenTownPlan(nodeCount: 6))
        #expect(result.violation == nil)
        #expect(result.honestShare == 1)
        #expect(result.tally["bounds checked"] > 50)
    }

    @Test func `liars with many keys take no link's share`() async throws {
        let result = try await live(
            OpenTownPlan(
                nodeCount: 5, liarCount: 5, keysPerLiar: 10, postsPerNode: 1, liarMinutes: 1,
                seed: 2))
        #expect(result.violation == nil)
        for count in ["lies", "disguises", "shares kept", "links below their share"] {
            #expect(result.tally[count] > 0, "no \(count)")
        }
    }
}
