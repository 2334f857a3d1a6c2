import ControlAPI
import Foundation
import GRDB
import NodeTestSupport
import PluginKit
import Testing

@testable import Node

/// Performs every command on a node with data, and checks each answer against its schema.
@Suite(.serialized) struct CommandContractTests {
    /// A node whose answers are recorded.
    private struct Caller {
        let node: RunningNode
        let record: AnswerRecord

        /// Performs a command and records the answer.
        @discardableResult
        func call(
            _ noun: String, _ verb: String, _ arguments: [String: JSONValue] = [:]
        ) async throws -> JSONValue {
            let answer = try await node.perform(noun, verb, arguments)
            try record.record(noun, verb, answer)
            return answer
        }

        /// Repeats a query until the answer is as expected, and records that.
        func wait(
            for noun: String, _ verb: String, _ arguments: [String: JSONValue] = [:],
            until isWanted: @escaping @Sendable (JSONValue) -> Bool
        ) async throws {
            try record.record(
                noun, verb, try await node.wait(for: noun, verb, arguments, until: isWanted))
        }

        /// The key of the node's owner.
        var person: JSONValue { get async throws { .string(try await node.person) } }
    }

    /// The members that this walk cannot see, each with the condition for seeing it.
    private static let unreachable = [
        "status show.storage.full": "a mate who wrote too much; FillTests send as much",
        "status show.unsettled": "an older copy of the home; RestoredHomeTests restore one",
        "status show.spaces.nextDueMs": "a peer whose clock is ahead; ClockTests of the replica",
        "status show.spaces.forkedDevices": "two copies of a home; RestoredHomeTests run them",
        "doctor run.checks.fix": "something amiss on this machine; DoctorTests make it",
        "doctor run.checks.fix.command": "something amiss on this machine; DoctorTests make it",
        "repair run.findings": "a torn database file, which a node may not open at all",
        "me delete.confirmed": "a mate who is linked; ArchiveTests delete with one",
        "me delete.unconfirmed": "a mate who is away",
    ]

    @Test func `every answer and event conforms to its schema, and all of them are seen`()
        async throws
    {
        let (record, events) = (AnswerRecord(), EventRecord())
        let meeting = try await Meeting.linked()
        let following = [meeting.one, meeting.other].map(events.follow)
        let (ana, bob) = (
            Caller(node: meeting.one, record: record), Caller(node: meeting.other, record: record)
        )
        try await drop(ana, bob)
        try await profiles(ana)
        try await walks(ana, bob)
        try await groups(ana, bob)
        try await chat(ana, bob)
        try await promises(ana, bob)
        try await care(ana)
        try await endings(ana, bob)
        try await damage(meeting.other, record)
        try await ClockedFriends.spendADay(record)
        #expect(record.missingRoutes.isEmpty, "these commands were not performed")
        let unseen = record.unseenMembers.filter { Self.unreachable[$0] == nil }
        #expect(unseen.isEmpty, "no answer had these members")
        for each in following { each.cancel() }
        #expect(events.missingTopics == ["lost"], "no event came under these topics")
        for node in [meeting.one, meeting.other] {
            try? FileManager.default.removeItem(atPath: node.home.directory)
        }
    }

    private func drop(_ ana: Caller, _ bob: Caller) async throws {
        try await ana.call("drop", "preview")
        try await ana.call("drop", "start")
        try await ana.call("drop", "cancel")
        try await ana.call("drop", "start")
        try await bob.call("drop", "start")
        for side in [ana, bob] {
            _ = try await side.node.wait(for: "drop", "show") { $0["phase"] == "deciding" }
            try await side.call("drop", "show")
        }
        try await bob.call("drop", "decline")
        _ = try await ana.node.wait(for: "drop", "show") { $0["phase"] == "declined" }
        try await ana.call("drop", "start")
        try await bob.call("drop", "start")
        for side in [ana, bob] {
            _ = try await side.node.wait(for: "drop", "show") { $0["phase"] == "deciding" }
        }
        for side in [ana, bob] { try await side.call("drop", "accept") }
        for side in [ana, bob] {
            _ = try await side.node.wait(for: "mates", "list") {
                $0["mates"]?.array?.first?["state"] == "mate"
            }
        }
    }

    private func profiles(_ ana: Caller) async throws {
        try await ana.call("me", "edit", ["keptPrivate": ["age"], "keywords": ["shy", "smart"]])
        try await ana.call("me", "show")
        try await ana.call("status", "show")
        try await ana.call("peer", "add", ["address": "127.0.0.1:9"])
        try await ana.call("peer", "list")
        try await ana.call("peer", "remove", ["address": "127.0.0.1:9"])
        try await ana.call("visibility", "everyone")
        try await ana.call("visibility", "show")
        try await ana.call("visibility", "mates")
        try await ana.call("nearby", "list")
        try await ana.call(
            "location", "set", ["latitude": 37.5, "longitude": 127, "accuracyMetres": 5])
        try await ana.call("location", "show")
        try await ana.call("mates", "list")
        try await ana.call("mates", "blocked")
        try await ana.call("verify", "run")
        try await ana.call("doctor", "run")
    }

    private func ask(_ ana: Caller, _ bob: Caller) async throws -> [String: JSONValue] {
        let walk = try await ana.call(
            "walk", "ask",
            [
                "to": try await bob.person, "latitude": 37.5, "longitude": 127.0,
                "locationName": "Park", "message": "Walk?",
            ])
        let id = try #require(walk["id"])
        _ = try await bob.node.wait(for: "walk", "list") {
            $0["requests"]?.array?.contains { $0["id"] == id } == true
        }
        return ["id": id]
    }

    private func walks(_ ana: Caller, _ bob: Caller) async throws {
        let accepted = try await ask(ana, bob)
        try await bob.call("walk", "accept", accepted)
        try await ana.call("walk", "note", accepted.merging(["note": "East gate"]) { $1 })
        try await bob.call("walk", "decline", ask(ana, bob))
        try await ana.call("walk", "cancel", ask(ana, bob))
        try await ana.call("walk", "list")
        let items = try await bob.call("inbox", "list")
        let item = try #require(items["items"]?.array?.first?["id"])
        try await bob.call("inbox", "handle", ["id": item])
        try await ana.call("walk", "erase", accepted)
    }

    private func groups(_ ana: Caller, _ bob: Caller) async throws {
        let first = try #require(try await ana.call("group", "create", ["name": "Walkers"])["id"])
        let second = try #require(try await ana.call("group", "create", ["name": "Talkers"])["id"])
        let third = try #require(try await ana.call("group", "create", ["name": "Runners"])["id"])
        for group in [first, second, third] {
            try await ana.call("group", "invite", ["group": group, "person": bob.person])
            _ = try await bob.node.wait(for: "group", "list") {
                $0["groups"]?.array?.contains {
                    $0["id"] == group && $0["state"] == "invited"
                } == true
            }
        }
        try await bob.call("group", "accept", ["group": first])
        try await bob.call("group", "decline", ["group": second])
        let note = try await ana.call("group", "note", ["group": first, "text": "At nine"])
        try await ana.call("group", "show", ["group": first])
        try await ana.call(
            "group", "erase", ["group": first, "note": try #require(note["id"])])
        try await ana.call("group", "list")
        try await bob.call("group", "leave", ["group": first])
        try await ana.call("group", "remove", ["group": third, "person": bob.person])
    }

    private func chat(_ ana: Caller, _ bob: Caller) async throws {
        let room = try await bob.person
        let sent = try await ana.call("chat", "send", ["room": room, "text": "Hello\nthere"])
        try await ana.call("chat", "rooms")
        try await ana.call("chat", "open", ["room": room, "limit": 10])
        try await ana.call("chat", "page", ["room": room])
        try await ana.call("chat", "search", ["text": "hello"])
        try await ana.call("chat", "follow", ["room": room])
        try await ana.call("chat", "delete", ["id": try #require(sent["id"])])
    }

    private func promises(_ ana: Caller, _ bob: Caller) async throws {
        let now = try #require(try await ana.call("status", "show")["nowMs"]?.integer)
        let made = try await ana.call(
            "promise", "create",
            [
                "title": "Han river", "atMs": .integer(now + 3_600_000), "latitude": 37.5,
                "longitude": 127, "locationName": "Bridge", "penalty": 100, "with": [bob.person],
            ])
        let promise = try #require(made["id"])
        let reference = ["promise": promise]
        _ = try await bob.node.wait(for: "promise", "list") {
            $0["promises"]?.array?.contains { $0["id"] == promise } == true
        }
        // Only a person who declined can be asked again.
        try await bob.call("promise", "leave", reference)
        _ = try await ana.node.wait(for: "promise", "show", reference) {
            $0["people"]?.array?.contains { $0["state"] == "left" } == true
        }
        try await ana.call("promise", "invite", ["promise": promise, "with": [bob.person]])
        _ = try await bob.node.wait(for: "promise", "show", reference) { $0["state"] == "invited" }
        try await bob.call("promise", "accept", reference)
        try await ana.call("promise", "edit", ["promise": promise, "title": "Han"])
        for verb in ["show", "watch", "result"] { try await ana.call("promise", verb, reference) }
        for verb in ["list", "today", "ledger"] { try await ana.call("promise", verb) }
        try await ana.call("promise", "list", ["past": true])
        for verb in ["stop", "share"] { try await ana.call("promise", verb, reference) }
        try await bob.call("promise", "leave", reference)
        try await ana.call("promise", "delete", reference)
    }

    private func care(_ ana: Caller) async throws {
        for verb in ["backup", "export"] {
            let file = NSTemporaryDirectory() + "waggle-\(verb)-\(UUID().uuidString.prefix(8))"
            try await ana.call(verb, "run", ["file": .string(file)])
            try FileManager.default.removeItem(atPath: file)
        }
        try await ana.call("repair", "run")
        try await ana.call("storage", "show")
        try await ana.call("storage", "set", ["totalMebibytes": 4096])
        try await ana.call("location", "clear")
        try await ana.call(
            "location", "source", ["source": "gpsd", "address": "127.0.0.1:1"])
        try await ana.wait(for: "location", "show") { $0["state"] == "away" }
        let track = NSTemporaryDirectory() + "waggle-track-\(UUID().uuidString.prefix(8))"
        let point = "<trkpt lat=\"37.5\" lon=\"127\"><time>2026-05-01T09:00:00Z</time></trkpt>"
        try "<gpx><trk><trkseg>\(point)</trkseg></trk></gpx>".write(
            toFile: track, atomically: false, encoding: .utf8)
        try await ana.call("location", "source", ["source": "gpx", "file": .string(track)])
        try await ana.wait(for: "location", "show") { $0["state"] == "ended" }
        try FileManager.default.removeItem(atPath: track)
        try await ana.call("location", "source", ["source": "hand"])
    }

    private func endings(_ ana: Caller, _ bob: Caller) async throws {
        let other = try await ana.person
        // Blocking a person also ends the mateship.
        try await bob.call("mates", "remove", ["person": other])
        try await bob.call(
            "mates", "block", ["person": other, "reason": "other", "text": "Enough"])
        try await bob.call("mates", "blocked")
        try await bob.call("mates", "unblock", ["person": other])
        try await ana.call("me", "delete", ["yes": true])
    }

    /// Ends a node, damages a batch of its mate on its disk, and starts it again alone.
    private func damage(_ node: RunningNode, _ record: AnswerRecord) async throws {
        let device = try await node.device
        try await node.stop()
        let queue = try DatabaseQueue(path: node.home.replicaFile)
        try await queue.write { database in
            try database.execute(
                sql: """
                    UPDATE batch SET body = CAST(body || x'EE' AS BLOB) WHERE id = (
                        SELECT min(batch.id) FROM batch JOIN log ON log.number = batch.id >> 40
                        WHERE lower(hex(log.device)) <> ? AND EXISTS (
                            SELECT 1 FROM batch later WHERE later.id = batch.id + 1))
                    """, arguments: [device])
            #expect(database.changesCount == 1)
        }
        try queue.close()
        let again = Caller(node: try await RunningNode.start(node.home), record: record)
        try await again.call("verify", "run")
        try await again.call("status", "show")
        try await again.call("repair", "run")
        try await again.call("stop", "run")
        try await again.node.stop()
    }
}
