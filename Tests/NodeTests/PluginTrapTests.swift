import ControlAPI
import Foundation
import Features
import FeaturesAPI
import NodeTestSupport
import PluginKit
import TestSupport
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
            _ = try? await node.call(TrappingPlugin.write, .init(text: "trap"))
            // Only the trap ends this loop.
            while true { try await ContinuousClock().sleep(for: .seconds(1)) }
        }
    }

    @Test func `a node restarts after a trap and keeps that record from the plugin`() async throws {
        let home = try RunningNode.founded()
        await trap(in: home)
        let node = try await RunningNode.start(home, plugins: Self.plugins)
        try await node.call(TrappingPlugin.touch)
        try await node.call(TrappingPlugin.write, .init(text: "harmless"))
        let taken = try await node.wait(for: TrappingPlugin.taken) { !$0.texts.isEmpty }
        #expect(taken.texts == ["harmless"])
        try await node.remove()
    }

    @Test func `a plugin that trapped three times in a row is disabled, and its notes are kept`()
        async throws
    {
        let home = try RunningNode.founded()
        for _ in 1...2 { await trap(in: home) }
        var node = try await RunningNode.start(home, plugins: Self.plugins)
        #expect(try await node.call(TrappingPlugin.taken).texts == [])
        try await node.stop()
        await trap(in: home)
        node = try await RunningNode.start(home, plugins: Self.plugins)
        await #expect(throws: CommandFault.self) { try await node.call(TrappingPlugin.taken) }
        try await node.call(ProfileCommands.edit, .init(nickname: Nickname("Still")))
        try await node.stop()
        try FileManager.default.removeItem(atPath: home.directory + "/plugin-traps.json")
        node = try await RunningNode.start(home, plugins: Self.plugins)
        #expect(try await node.call(TrappingPlugin.list).texts == ["trap", "trap", "trap"])
        try await node.remove()
    }
}
