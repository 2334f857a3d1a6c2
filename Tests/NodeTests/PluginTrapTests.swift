import ControlAPI
import Foundation
import Features
import NodeTestSupport
import PluginKit
import Testing

/// A plugin runs in the node's process, so its traps end the whole process. These tests run whole
/// processes that do crash.
@Suite(.serialized) struct PluginTrapTests {
    private static let plugins: [any Plugin.Type] = [CoreFeatures.self, TrappingPlugin.self]

    /// Runs a node in its own process and has its plugin trap on a note.
    private func trap(in home: Home) async {
        await #expect(processExitsWith: .failure) {
            [directory = home.directory as String] in
            let node = try await RunningNode.start(
                Home(directory), plugins: PluginTrapTests.plugins)
            _ = try? await node.perform("trapping", "write", ["text": "trap"])
            // Only the trap ends this loop.
            while true { try await ContinuousClock().sleep(for: .seconds(1)) }
        }
    }

    @Test func `a node restarts after a trap and keeps that record from the plugin`() async throws {
        let home = try RunningNode.founded()
        await trap(in: home)
        let node = try await RunningNode.start(home, plugins: Self.plugins)
        try await node.perform("trapping", "touch")
        try await node.perform("trapping", "write", ["text": "harmless"])
        let taken = try await node.wait(for: "trapping", "taken") { $0.array?.isEmpty == false }
        #expect(taken == ["harmless"])
        try await node.remove()
    }

    @Test func `a plugin that trapped three times in a row is disabled, and its notes are kept`()
        async throws
    {
        let home = try RunningNode.founded()
        for _ in 1...2 { await trap(in: home) }
        var node = try await RunningNode.start(home, plugins: Self.plugins)
        #expect(try await node.perform("trapping", "taken") == [])
        try await node.stop()
        await trap(in: home)
        node = try await RunningNode.start(home, plugins: Self.plugins)
        await #expect(throws: CommandFault.self) { try await node.perform("trapping", "taken") }
        try await node.perform("me", "edit", ["nickname": "Still"])
        try await node.stop()
        try FileManager.default.removeItem(atPath: home.directory + "/plugin-traps.json")
        node = try await RunningNode.start(home, plugins: Self.plugins)
        #expect(try await node.perform("trapping", "list") == ["trap", "trap", "trap"])
        try await node.remove()
    }
}
