import ControlAPI
import FeaturesAPI
import Foundation
import Links
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// A peer announces its fields over a link, in either version of the protocol.
@Suite(.serialized) struct AnnouncedTests {
    private func fields(_ values: KeyValuePairs<String, String>) -> AnnouncedFields {
        var fields = AnnouncedFields()
        for (key, value) in values { fields.insert(key, Array(value.utf8)) }
        return fields
    }

    /// A node that is visible to everyone, and a stranger linked to it.
    private func withPeer(
        _ versions: ClosedRange<UInt8>,
        _ body: (RunningNode, HostilePeer) async throws -> Void
    ) async throws {
        let node = try await RunningNode.start()
        try await node.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "Rex"))
        try await node.call(NearbyCommands.showToEveryone)
        let (key, person) = try HostilePeer.stranger()
        let peer = try await HostilePeer.dial(node.port, as: key, person, versions: versions)
        try await body(node, peer)
        peer.close()
        try await node.remove()
    }

    /// The messages up to the answer to a ping sent now.
    private func heard(_ peer: HostilePeer) async throws -> [Message] {
        try await peer.send(.ping(nonce: 1))
        return await peer.messages { if case .pong(1, _) = $0 { true } else { false } }
    }

    @Test func `a peer of version 1 still receives and sends PRESENCE`() async throws {
        try await withPeer(1...1) { node, peer in
            let heard = try await self.heard(peer)
            #expect(heard.contains(.presence(Presence(nickname: "Ana", dogName: "Rex"))))
            #expect(!heard.contains { $0.type == 17 })
            try await peer.send(
                .presence(Presence(dropOpen: true, nickname: "Old", dogName: "Kit")))
            let list = try await node.wait(for: NearbyCommands.list) {
                $0.people.first?.name == "Old"
            }
            #expect(list.people.first?.dogName == "Kit")
            #expect(list.people.first?.isOpenToMeet == true)
        }
    }

    @Test func `a peer of version 2 receives and sends ANNOUNCED`() async throws {
        try await withPeer(1...2) { node, peer in
            let heard = try await self.heard(peer)
            #expect(heard.contains(.announced(fields(["n": "Ana", "g": "Rex"]))))
            #expect(!heard.contains { $0.type == 16 })
            try await peer.send(.announced(fields(["n": "New", "f": "s", "zzz": "of nobody"])))
            let list = try await node.wait(for: NearbyCommands.list) {
                $0.people.first?.name == "New"
            }
            #expect(list.people.first?.isOpenToMeet == false)
            #expect(list.people.first?.dogName == nil)
            try await node.call(NearbyCommands.showToMates)
            let next = await peer.messages { $0.type == 17 }
            #expect(next.last == .announced(AnnouncedFields()))
        }
    }

    @Test func `ANNOUNCED from a peer of version 1 ends its link`() async throws {
        try await withPeer(1...1) { node, peer in
            try await peer.send(.announced(fields(["n": "Eve"])))
            _ = await peer.messages { _ in false }
            try await node.wait(for: NodeCommands.status) {
                $0.links.isEmpty
            }
        }
    }

    @Test func `a peer that speaks later versions only gets no link`() async throws {
        let node = try await RunningNode.start()
        let (key, person) = try HostilePeer.stranger()
        await #expect(throws: (any Error).self) {
            _ = try await HostilePeer.dial(node.port, as: key, person, versions: 8...9)
        }
        try await node.remove()
    }

    @Test func `a flood of changes ends with the last one shown and nothing written`() async throws
    {
        try await withPeer(1...2) { node, peer in
            _ = try await self.heard(peer)
            let before = try await bytes(of: node)
            for number in 0..<2000 {
                try await peer.send(.announced(fields(["n": "\(number)", "f": "d"])))
            }
            try await peer.send(.announced(fields(["n": "last"])))
            let list = try await node.wait(for: NearbyCommands.list) {
                $0.people.first?.name == "last"
            }
            #expect(list.people.first?.isOpenToMeet == false)
            #expect(try await bytes(of: node) == before)
        }
    }

    /// The lengths of the files of a node's store.
    private func bytes(of node: RunningNode) async throws -> [String: Int] {
        var sizes: [String: Int] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: node.home.directory)
        where name.hasPrefix("replica") {
            let path = node.home.directory + "/" + name
            sizes[name] =
                try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        }
        return sizes
    }
}
