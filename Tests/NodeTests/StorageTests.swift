import NodeTestSupport
import PluginKit
import Testing

@testable import Node

/// The limits of what a node stores, as a person sees and changes them.
@Suite(.serialized) struct StorageTests {
    @Test func `a node shows what it stores and its limits, and keeps changed ones over a restart`()
        async throws
    {
        var node = try await RunningNode.start()
        try await node.perform("me", "edit", Meeting.profile("Ana", dog: "Rex"))
        let usual = try await node.perform("storage", "show")
        #expect(usual["authorBytesMax"] == 67_108_864)
        #expect(usual["totalBytesMax"] == 2_147_483_648)
        #expect(usual["freeBytesMin"] == 209_715_200)
        #expect(usual["usedBytes"]?.integer ?? 0 > 160)
        #expect(usual["freeBytes"]?.integer ?? 0 > 0)
        #expect(usual["full"] == [])
        #expect(try await node.perform("status", "show")["storage"]?["full"] == [])

        let changed = try await node.perform(
            "storage", "set", ["authorMebibytes": 8, "freeMebibytes": 0])
        #expect(changed["authorBytesMax"] == 8_388_608)
        #expect(changed["totalBytesMax"] == usual["totalBytesMax"])
        try await node.stop()
        node = try await RunningNode.start(node.home)
        let kept = try await node.perform("storage", "show")
        #expect(kept["authorBytesMax"] == 8_388_608)
        #expect(kept["freeBytesMin"] == 0)
        #expect(kept["usedBytes"] == usual["usedBytes"])
        try await node.remove()
    }

    @Test func `a limit of no mebibyte is refused`() async throws {
        let node = try await RunningNode.start()
        await #expect(throws: CommandFault.self) {
            try await node.perform("storage", "set", ["totalMebibytes": 0])
        }
        try await node.remove()
    }
}
