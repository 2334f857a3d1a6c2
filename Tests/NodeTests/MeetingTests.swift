import ControlAPI
import ControlClient
import Foundation
import Identity
import NodeTestSupport
import PluginKit
import Replica
import Testing

@testable import Node

/// Whole nodes in one process: real replicas, real TLS, real local APIs.
@Suite(.serialized) struct MeetingTests {
    @Test func `two people who drop and accept become mates and hold the same data`() async throws {
        let meeting = try await Meeting.mates()
        // The cards may still be on their way right after both edges arrived.
        let isEqual = await eventually {
            let verdict = try? await meeting.one.perform("verify", "run")
            return verdict?["equal"] == true && verdict?["spaces"]?.array?.count == 3
        }
        #expect(isEqual)
        try await meeting.end()
    }

    @Test func `a mate's edit arrives without a request`() async throws {
        let meeting = try await Meeting.mates()
        try await meeting.one.perform("me", "edit", ["nickname": "Anabel"])
        _ = try await meeting.other.wait(for: "mates", "list") {
            $0["mates"]?.array?.first?["profile"]?["nickname"] == "Anabel"
        }
        try await meeting.end()
    }

    @Test func `a walk that is requested and accepted appears so on both sides`() async throws {
        let meeting = try await Meeting.mates()
        let asked = try await meeting.one.perform(
            "walk", "ask",
            [
                "to": .string(try await meeting.other.person), "latitude": 37.5, "longitude": 127.0,
                "locationName": "Park", "message": "walk?",
            ])
        let id = try #require(asked["id"])
        _ = try await meeting.other.wait(for: "walk", "list") {
            $0["requests"]?.array?.first?["state"] == "pending"
        }
        try await meeting.other.perform("walk", "accept", ["id": id])
        _ = try await meeting.one.wait(for: "walk", "list") {
            $0["requests"]?.array?.first?["state"] == "accepted"
        }
        try await meeting.end()
    }

    @Test func `edits made while apart are the same on both sides after a restart`() async throws {
        let meeting = try await Meeting.mates()
        let (home, port) = (meeting.other.home, meeting.other.port)
        try await meeting.other.stop()
        try await meeting.one.perform("me", "edit", ["nickname": "Alone", "dogName": "Solo"])
        let again = try await RunningNode.start(home, port: port)
        _ = try await again.wait(for: "mates", "list") {
            $0["mates"]?.array?.first?["profile"]?["dogName"] == "Solo"
        }
        try await again.remove()
        try await meeting.one.remove()
    }

    @Test func `two notes on one request written while apart become the same on both sides`()
        async throws
    {
        let meeting = try await Meeting.mates()
        let asked = try await meeting.one.perform(
            "walk", "ask",
            [
                "to": .string(try await meeting.other.person), "latitude": 1.0, "longitude": 2.0,
                "message": "walk?",
            ])
        let id = try #require(asked["id"])
        _ = try await meeting.other.wait(for: "walk", "list") {
            $0["requests"]?.array?.count == 1
        }
        let (home, port) = (meeting.other.home, meeting.other.port)
        try await meeting.other.stop()
        try await meeting.one.perform("walk", "note", ["id": id, "note": "the south gate"])
        let alone = try await RunningNode.start(home)
        try await alone.perform("walk", "note", ["id": id, "note": "the north gate"])
        try await alone.stop()
        let again = try await RunningNode.start(home, port: port)
        for node in [meeting.one, again] {
            _ = try await node.wait(for: "walk", "list") {
                $0["requests"]?.array?.first?["note"] == "the north gate"
            }
        }
        try await again.remove()
        try await meeting.one.remove()
    }

    @Test func `fifty consecutive questions are each answered`() async throws {
        let meeting = try await Meeting.mates()
        let areShared = await eventually {
            (try? await meeting.one.perform("verify", "run"))?["spaces"]?.array?.count == 3
        }
        #expect(areShared)
        for _ in 0..<50 {
            #expect(try await meeting.one.perform("verify", "run")["spaces"]?.array?.count == 3)
        }
        try await meeting.end()
    }

    @Test func `a comparison is with the linked peer whose device or person is named`() async throws
    {
        let meeting = try await Meeting.mates()
        let areShared = await eventually {
            (try? await meeting.one.perform("verify", "run"))?["spaces"]?.array?.count == 3
        }
        #expect(areShared)
        let device = try await meeting.other.device
        for key in [device, try await meeting.other.person] {
            let answer = try await meeting.one.perform(
                "verify", "run", ["peer": .string(String(key.prefix(6)))])
            #expect(answer["peers"] == [.string(device)])
        }
        await #expect(
            throws: CommandFault.notFound("There is no linked peer 000000; see 'nearby list'.")
        ) { try await meeting.one.perform("verify", "run", ["peer": "000000"]) }
        try await meeting.end()
    }

    @Test func `a blocked person who never was a mate gets no further answer`() async throws {
        let meeting = try await Meeting.linked()
        try await meeting.one.perform(
            "mates", "block",
            ["person": .string(try await meeting.other.person), "reason": "unpleasant"])
        let isGone = await eventually {
            (try? await meeting.one.perform("status", "show"))?["links"]?.array?.isEmpty == true
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
        try await meeting.one.perform("mates", "remove", ["person": .string(person)])
        _ = try await meeting.other.wait(for: "mates", "list") {
            $0["mates"]?.array?.isEmpty == true
        }
        try await meeting.one.perform("me", "edit", ["nickname": "Gone"])
        // When nothing is shared any more, there is nothing to compare.
        let isOver = await eventually {
            do {
                try await meeting.one.perform("verify", "run")
                return false
            } catch { return (error as? CommandFault)?.code == "notFound" }
        }
        #expect(isOver)
        try await meeting.end()
    }

    @Test func `the link of a blocked person ends and is not established again`() async throws {
        let meeting = try await Meeting.mates()
        try await meeting.one.perform(
            "mates", "block",
            ["person": .string(try await meeting.other.person), "reason": "unpleasant"])
        _ = try await meeting.one.wait(for: "status", "show") {
            $0["links"]?.array?.isEmpty == true
        }
        try await meeting.other.perform(
            "peer", "add", ["address": .string(meeting.one.address)])
        let status = try await meeting.one.perform("status", "show")
        #expect(status["links"]?.array?.isEmpty == true)
        try await meeting.end()
    }

    @Test func `two nodes that dial each other at once have one link`() async throws {
        let meeting = try await Meeting.linked()
        try await meeting.other.perform("peer", "add", ["address": .string(meeting.one.address)])
        for node in [meeting.one, meeting.other] {
            _ = try await node.wait(for: "status", "show") { $0["links"]?.array?.count == 1 }
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
                try await node.perform("status", "show")
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
            return sentence.contains("process")
        }
        try await node.remove()
    }
}
