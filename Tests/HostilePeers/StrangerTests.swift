import ControlAPI
import class Foundation.FileManager
import Identity
import Links
import Node
import NodeAPI
import NodeTestSupport
import PeerLink
import PluginKit
import Records
import Replica
import TestSupport
import Testing

@testable import Sync

/// Tests that a stranger cannot distinguish spaces by the answers.
@Suite(.serialized) struct StrangerTests {
    @Test func `a stranger who knows a pair's id gets the same bytes as for an unknown space`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let (key, person) = try HostilePeer.stranger()
        let none = SpaceDescriptor.open(name: "nothing of this name").id
        var transcripts: [[Message]] = []
        for space in [mate.pair.id, none] {
            let peer = try await HostilePeer.dial(mate.victim.port, as: key, person)
            try await peer.announce([space])
            transcripts.append(
                try await peer.answers(to: [
                    .have(
                        Have(
                            round: .question,
                            entries: [.init(token: peer.token(space), digest: Bytes16.zero)])),
                    .vector(Vector(channel: 0, logs: [])),
                    .acknowledge(Vector(channel: 0, logs: [])),
                    .push(Push(channel: 0, run: try mate.run([HostileMate.harmless]))),
                    .audit(
                        Audit(
                            channel: 0, log: mate.head.log, from: 1, through: 1,
                            hash: Bytes32.zero)),
                ]))
            peer.close()
            // The node does not keep two links with one device, and might keep the old one.
            try await mate.victim.wait(for: NodeCommands.status) { $0.links.isEmpty }
        }
        #expect(transcripts[0] == transcripts[1])
        #expect(transcripts[0].contains(Message.none(channel: 0)))
        try await mate.end()
    }

    @Test func `frames recorded from a mate's link are useless on another link`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let before = try await mate.pairCounts()
        let recorded = try await mate.link()
        let announcement = Message.have(
            Have(
                round: .announcement,
                entries: [.init(token: recorded.token(mate.pair.id), digest: Bytes16.zero)]))
        let push = Message.push(Push(channel: 0, run: try mate.run([HostileMate.harmless])))
        recorded.close()
        let (key, person) = try HostilePeer.stranger()
        let peer = try await HostilePeer.dial(mate.victim.port, as: key, person)
        let answers = try await peer.answers(to: [announcement, push])
        #expect(answers == [Message.none(channel: 0)])
        #expect(try await mate.pairCounts() == before)
        try await mate.end()
    }

    @Test func `a device that its person record does not list is not linked`() async throws {
        let node = try await RunningNode.start()
        let (_, person) = try HostilePeer.stranger()
        await #expect(throws: (any Error).self) {
            _ = try await HostilePeer.dial(node.port, as: DeviceKey(), person)
        }
        #expect(try await node.call(NodeCommands.status).links.isEmpty)
        try await node.remove()
    }

    @Test func `a peer that sends a message before HELLO is disconnected`() async throws {
        let node = try await RunningNode.start()
        let link = try await HostilePeer.raw(node.port, as: DeviceKey())
        try await link.send(Frame(type: 10, payload: [UInt8](repeating: 0, count: 8)))
        var frames = link.frames.makeAsyncIterator()
        #expect(await frames.next() == nil)
        #expect(try await node.call(NodeCommands.status).links.isEmpty)
        try await node.remove()
    }

    @Test(arguments: [
        Frame(type: 0, payload: []), Frame(type: 200, payload: [1, 2, 3]),
        Frame(type: 2, payload: [0, 0xff, 0xff, 0xff, 0xff, 0x0f]),
        Frame(type: 4, payload: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]),
        Frame(type: 10, payload: [1]), Frame(type: 9, payload: [0xff, 0xff, 0x7f]),
        Frame(type: 1, payload: [UInt8](repeating: 0xff, count: 4096)),
        Frame(type: 17, payload: [0xff, 0xff, 0xff, 0xff, 0x0f]),
        Frame(type: 17, payload: [2, 1, 0x62, 1, 0, 1, 0x61, 1, 0]),
        Frame(type: 17, payload: [1, 1, 0x61, 97] + [UInt8](repeating: 0, count: 97)),
    ])
    func `malformed messages end the link and have no other effect`(frame: Frame) async throws {
        let node = try await RunningNode.start()
        let (key, person) = try HostilePeer.stranger()
        let peer = try await HostilePeer.dial(node.port, as: key, person)
        try await peer.link.send(frame)
        _ = await peer.messages { _ in false }
        try await node.wait(for: NodeCommands.status) { $0.links.isEmpty }
        try await node.remove()
    }

    @Test func `a stranger's record and the records they send leave nothing on the disk`()
        async throws
    {
        let node = try await RunningNode.start()
        let (key, person) = try HostilePeer.stranger()
        let peer = try await HostilePeer.dial(node.port, as: key, person)
        let others = try (0..<20).map { _ in try HostilePeer.stranger() }
        _ = try await peer.answers(to: [.identity(others.map { .init($0.1) })])
        peer.close()
        try await node.stop()
        let identity = try NodeIdentity.load(from: node.home)
        let replica = try Replica(
            path: node.home.replicaFile, key: identity.key, collections: [], views: [])
        for (device, record) in [(key, person)] + others {
            #expect(await replica.person(of: device.id) == nil)
            #expect(await replica.personRecord(record.person) == nil)
        }
        try FileManager.default.removeItem(atPath: node.home.directory)
    }

    @Test func `made-up keys from one address leave room for others`() async throws {
        let node = try await RunningNode.start()
        var peers: [HostilePeer] = []
        for _ in 0..<4 {
            let (key, person) = try HostilePeer.stranger()
            peers.append(try await HostilePeer.dial(node.port, as: key, person))
        }
        try await node.wait(for: NodeCommands.status) { $0.links.count == 4 }
        let (key, person) = try HostilePeer.stranger()
        let last = try await HostilePeer.dial(node.port, as: key, person)
        let heard = await last.messages { _ in false }
        #expect(heard.last == .bye(.tooMany), "\(heard)")
        #expect(try await node.call(NodeCommands.status).links.count == 4)
        for peer in peers { peer.close() }
        try await node.remove()
    }

    @Test func `a peer with the node's own key gets a HELLO and no link, and the person is told`()
        async throws
    {
        let node = try await RunningNode.start()
        let own = try NodeIdentity.load(from: node.home)
        let thief = try await HostilePeer.dial(node.port, as: own.key, own.person)
        #expect(await thief.messages { _ in false }.isEmpty)
        let status = try await node.call(NodeCommands.status)
        #expect(status.links.isEmpty)
        #expect(status.notices.map(\.kind) == [.clone])
        try await node.remove()
    }

    @Test func `a frame limit that fits any batch is accepted and one byte less is not`()
        async throws
    {
        let node = try await RunningNode.start()
        for (bytes, isLinked) in [(Limits.frameBytesMin, true), (Limits.frameBytesMin - 1, false)] {
            let (key, person) = try HostilePeer.stranger()
            let link = try await HostilePeer.raw(node.port, as: key)
            var hello = HostilePeer.hello(person)
            hello.frameBytesMax = UInt64(bytes)
            try await link.send(
                Frame(type: 1, payload: Message.hello(hello).payload(sender: key.id)))
            var frames = link.frames.makeAsyncIterator()
            #expect((await frames.next() != nil) == isLinked)
            link.close(because: .closed)
        }
        try await node.remove()
    }

    @Test func `a second HELLO ends the link`() async throws {
        let node = try await RunningNode.start()
        let (key, person) = try HostilePeer.stranger()
        let peer = try await HostilePeer.dial(node.port, as: key, person)
        try await peer.send(.hello(HostilePeer.hello(person)))
        let last = await peer.messages { _ in false }.last
        #expect(last == .bye(.fault))
        try await node.remove()
    }

    @Test func `direct messages over a second's allowance are dropped, and the node answers`()
        async throws
    {
        let node = try await RunningNode.start()
        let (key, person) = try HostilePeer.stranger()
        let peer = try await HostilePeer.dial(node.port, as: key, person)
        for number in 1...2000 {
            try await peer.send(
                .direct(
                    Direct(
                        topic: "drop", counter: UInt64(number),
                        body: [UInt8](repeating: 7, count: 500))))
        }
        let status = try await node.call(NodeCommands.status)
        #expect(status.links.count == 1)
        try await node.remove()
    }
}
