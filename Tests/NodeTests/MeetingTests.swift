import ControlAPI
import ControlClient
import FeaturesAPI
import Foundation
import Identity
import NodeAPI
import NodeTestSupport
import PluginKit
import Replica
import TestSupport
import Testing

@testable import Node

/// Whole nodes in one process: real replicas, real TLS, real local APIs.
@Suite(.serialized) struct MeetingTests {
    @Test func `two people who drop and accept become mates and hold the same data`() async throws {
        let meeting = try await Meeting.mates()
        // The cards may still be on their way right after both edges arrived.
        let isEqual = await eventually {
            let verdict = try? await meeting.one.call(NodeCommands.verify, .init())
            return verdict?.equal == true && verdict?.spaces.count == 3
        }
        #expect(isEqual)
        try await meeting.end()
    }

    @Test func `a mate's edit arrives without a request`() async throws {
        let meeting = try await Meeting.mates()
        try await meeting.one.call(ProfileCommands.edit, .init(nickname: Nickname("Anabel")))
        try await meeting.other.wait(for: MateCommands.list) {
            $0.mates.first?.profile.nickname == "Anabel"
        }
        try await meeting.end()
    }

    @Test func `a walk that is requested and accepted appears so on both sides`() async throws {
        let meeting = try await Meeting.mates()
        let asked = try await meeting.one.call(
            WalkCommands.ask,
            .init(
                to: NameOrKey(meeting.other.person), latitude: Latitude(37.5),
                longitude: Longitude(127.0), locationName: Text("Park"), message: Text("walk?")))
        try await meeting.other.wait(for: WalkCommands.list) {
            $0.requests.first?.state == .pending
        }
        try await meeting.other.call(WalkCommands.accept, .init(id: RecordPrefix(asked.id)))
        try await meeting.one.wait(for: WalkCommands.list) {
            $0.requests.first?.state == .accepted
        }
        try await meeting.end()
    }

    @Test func `edits made while apart are the same on both sides after a restart`() async throws {
        let meeting = try await Meeting.mates()
        let (home, port) = (meeting.other.home, meeting.other.port)
        try await meeting.other.stop()
        try await meeting.one.call(
            ProfileCommands.edit, .init(nickname: Nickname("Alone"), dogName: Text("Solo")))
        let again = try await RunningNode.start(home, port: port)
        try await again.wait(for: MateCommands.list) {
            $0.mates.first?.profile.dogName == "Solo"
        }
        try await again.remove()
        try await meeting.one.remove()
    }

    @Test func `two notes on one request written while apart become the same on both sides`()
        async throws
    {
        let meeting = try await Meeting.mates()
        let asked = try await meeting.one.call(
            WalkCommands.ask,
            .init(
                to: NameOrKey(meeting.other.person), latitude: Latitude(1.0),
                longitude: Longitude(2.0), message: Text("walk?")))
        try await meeting.other.wait(for: WalkCommands.list) {
            $0.requests.count == 1
        }
        let (home, port) = (meeting.other.home, meeting.other.port)
        try await meeting.other.stop()
        try await meeting.one.call(
            WalkCommands.note, .init(id: RecordPrefix(asked.id), note: Text("the south gate")))
        let alone = try await RunningNode.start(home)
        try await alone.call(
            WalkCommands.note, .init(id: RecordPrefix(asked.id), note: Text("the north gate")))
        try await alone.stop()
        let again = try await RunningNode.start(home, port: port)
        for node in [meeting.one, again] {
            try await node.wait(for: WalkCommands.list) {
                $0.requests.first?.note == "the north gate"
            }
        }
        try await again.remove()
        try await meeting.one.remove()
    }

    @Test func `fifty consecutive questions are each answered`() async throws {
        let meeting = try await Meeting.mates()
        let areShared = await eventually {
            (try? await meeting.one.call(NodeCommands.verify, .init()))?.spaces.count == 3
        }
        #expect(areShared)
        for _ in 0..<50 {
            #expect(try await meeting.one.call(NodeCommands.verify, .init()).spaces.count == 3)
        }
        try await meeting.end()
    }

    @Test func `a comparison is with the linked peer whose device or person is named`() async throws
    {
        let meeting = try await Meeting.mates()
        let areShared = await eventually {
            (try? await meeting.one.call(NodeCommands.verify, .init()))?.spaces.count == 3
        }
        #expect(areShared)
        let device = try await meeting.other.device
        for key in [device, try await meeting.other.person] {
            let answer = try await meeting.one.call(
                NodeCommands.verify, .init(peer: NameOrKey(String(key.string.prefix(6)))))
            #expect(answer.peers == [device])
        }
        await #expect(
            throws: CommandFault.notFound("There is no linked peer 000000; see 'nearby list'.")
        ) { try await meeting.one.call(NodeCommands.verify, .init(peer: NameOrKey("000000"))) }
        try await meeting.end()
    }

    @Test func `a blocked person who never was a mate gets no further answer`() async throws {
        let meeting = try await Meeting.linked()
        try await meeting.one.call(
            MateCommands.block, .init(person: NameOrKey(meeting.other.person), reason: .unpleasant))
        let isGone = await eventually {
            (try? await meeting.one.call(NodeCommands.status))?.links.isEmpty == true
        }
        #expect(isGone)
        let identity = try NodeIdentity.load(from: meeting.other.home)
        try await meeting.other.stop()
        try await meeting.one.stop()
        let mine = try NodeIdentity.load(from: meeting.one.home)
        let kept = try Replica(
            path: meeting.one.home.replicaFile, key: mine.key, collections: [], views: [])
        #expect(await kept.person(of: identity.key.id) == identity.person.person)
        try await kept.close()
        for home in [meeting.one.home, meeting.other.home] {
            try FileManager.default.removeItem(atPath: home.directory)
        }
    }

    @Test func `the end of a mateship reaches the other side and ends the exchange`() async throws {
        let meeting = try await Meeting.mates()
        let person = try await meeting.other.person
        try await meeting.one.call(MateCommands.remove, .init(person: NameOrKey(person)))
        try await meeting.other.wait(for: MateCommands.list) {
            $0.mates.isEmpty
        }
        try await meeting.one.call(ProfileCommands.edit, .init(nickname: Nickname("Gone")))
        // When nothing is shared any more, there is nothing to compare.
        let isOver = await eventually {
            do {
                try await meeting.one.call(NodeCommands.verify, .init())
                return false
            } catch { return (error as? CommandFault)?.code == "notFound" }
        }
        #expect(isOver)
        try await meeting.end()
    }

    @Test func `the link of a blocked person ends and is not established again`() async throws {
        let meeting = try await Meeting.mates()
        try await meeting.one.call(
            MateCommands.block, .init(person: NameOrKey(meeting.other.person), reason: .unpleasant))
        try await meeting.one.wait(for: NodeCommands.status) {
            $0.links.isEmpty
        }
        try await meeting.other.dial(meeting.one)
        let status = try await meeting.one.call(NodeCommands.status)
        #expect(status.links.isEmpty)
        try await meeting.end()
    }

    @Test func `two nodes that dial each other at once have one link`() async throws {
        let meeting = try await Meeting.linked()
        try await meeting.other.dial(meeting.one)
        for node in [meeting.one, meeting.other] {
            try await node.wait(for: NodeCommands.status) { $0.links.count == 1 }
        }
        try await meeting.end()
    }

    @Test func `a node whose home is removed ends`() async throws {
        let node = try await RunningNode.start()
        let directory = node.home.directory
        // The node may create a file there while the others are removed.
        let isGone = await eventually {
            try? FileManager.default.removeItem(atPath: directory)
            return !FileManager.default.fileExists(atPath: directory)
        }
        #expect(isGone)
        let isOver = await eventually {
            do {
                try await node.call(NodeCommands.status)
                return false
            } catch { return true }
        }
        #expect(isOver)
        try await node.client.shutdown()
    }

    @Test func `a second node on one home is refused with the id of the first process`()
        async throws
    {
        let node = try await RunningNode.start()
        await #expect {
            _ = try await RunningNode.start(node.home)
        } throws: { error in
            guard case CommandFault.conflict(let sentence) = error else { return false }
            return sentence.english.contains("process")
        }
        try await node.remove()
    }
}
