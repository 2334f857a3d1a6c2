import ControlAPI
import FeaturesAPI
import Identity
import NodeAPI
import NodeTestSupport
import PluginKit
import ProximityDropAPI
import TestSupport
import Testing

@testable import Node

// The commands of devices of one person, and of a person who comes back.
extension CommandContractTests {
    /// A node that waits for a person to come back.
    func recovery(_ record: AnswerRecord) async throws {
        let node = Caller(node: try await .start(), record: record)
        var generator = SystemRandomNumberGenerator()
        let words = RecoveryWords(using: &generator).words.joined(separator: " ")
        try await node.call(NodeCommands.beginRecovery, .init(words: Text(words)))
        await node.wait(for: NodeCommands.recovery) { $0.stage == .searching }
        try await node.call(NodeCommands.status)
        try await node.call(NodeCommands.diagnose)
        try await node.call(NodeCommands.cancelRecovery)
        await node.wait(for: NodeCommands.recovery) { $0.stage == .none }
        try await node.node.remove()
    }

    /// A neighbourhood that is joined and left.
    func neighbourhoods(_ ana: Caller) async throws {
        let name = try NeighbourhoodName("Seongsu")
        try await ana.call(NeighbourhoodCommands.join, .init(name: name, yes: true))
        try await ana.call(NeighbourhoodCommands.list)
        try await ana.call(NodeCommands.status)
        try await ana.call(NeighbourhoodCommands.leave, .init(name: name))
    }

    /// A word that is muted and shown again.
    func mutedWords(_ ana: Caller) async throws {
        let word = NameMutedWord(word: try MutedWord("casino"))
        try await ana.call(MutedWordCommands.add, word)
        try await ana.call(MutedWordCommands.list)
        try await ana.call(MutedWordCommands.remove, word)
    }

    /// A second device, which is named and removed.
    func devices(_ ana: Caller, _ events: EventRecord) async throws {
        let node = try await RunningNode.start()
        let following = events.follow(node)
        defer { following.cancel() }
        let first = Caller(node: node, record: ana.record)
        let second = Caller(node: try await node.startSecond(), record: ana.record)
        await first.wait(for: DeviceCommands.list) { $0.devices.count == 2 }
        let key = NameOrKey(try await second.node.device)
        try await first.call(DeviceCommands.rename, .init(device: key, name: Text("phone")))
        await second.wait(for: DeviceCommands.list) { list in
            list.devices.contains { $0.name?.string == "phone" }
        }
        try await elsewhere(first, second)
        try await first.call(DeviceCommands.remove, .init(device: key, yes: true))
        await second.wait(for: DeviceCommands.list) { $0.isRemoved }
        for each in [first, second] { try await each.node.remove() }
    }

    /// A code that is ended, and one by which a device is added.
    func joining(_ record: AnswerRecord) async throws {
        let (node, fresh) = (
            Caller(node: try await .start(), record: record),
            Caller(node: try await .start(), record: record)
        )
        try await choosePhoto(node)
        try await node.call(PairingCommands.add)
        try await node.call(PairingCommands.cancel)
        try await node.call(PairingCommands.show)
        let code = try await node.call(PairingCommands.add).code
        try await fresh.call(
            PairingCommands.join, .init(code: Text(code), address: Text(node.node.address)))
        await fresh.wait(for: PairingCommands.show) { $0.stage == .complete }
        #expect(try await fresh.call(PairingCommands.show).filesTotal?.value == 1)
        await node.wait(for: PairingCommands.show) { $0.stage == .added && $0.total != nil }
        for each in [node, fresh] { try await each.node.remove() }
    }

    /// A location that the other device shows, and a drop that runs there.
    private func elsewhere(_ first: Caller, _ second: Caller) async throws {
        try await second.call(
            LocationCommands.set, .init(latitude: Latitude(37.5), longitude: Longitude(127)))
        await first.wait(for: LocationCommands.show) { $0.shown == .elsewhere }
        try await second.call(DropCommands.start, .init(share: false))
        await first.wait(for: DropCommands.show) { $0.elsewhere?.phase == .finding }
        try await second.call(DropCommands.cancel)
    }
}
