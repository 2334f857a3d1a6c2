import NodeTestSupport
import PluginKit
import Testing

@testable import Node

/// Three whole nodes and a group: the first knows both others, who do not know each other.
@Suite(.serialized) struct GroupTests {
    private struct Three {
        let ana: RunningNode
        let bob: RunningNode
        let eve: RunningNode

        var all: [RunningNode] { [ana, bob, eve] }

        /// Starts three nodes; Ana meets both others, one after the other.
        static func met() async throws -> Three {
            let meeting = try await Meeting.mates()
            let eve = try await RunningNode.start()
            try await eve.perform("me", "edit", Meeting.profile("Eve", dog: "Zoe"))
            try await eve.perform("peer", "add", ["address": .string(meeting.one.address)])
            let second = Meeting(one: meeting.one, other: eve)
            _ = try await eve.wait(for: "nearby", "list") { $0["people"]?.array?.count == 1 }
            try await second.drop()
            _ = try await meeting.one.wait(for: "mates", "list") { answer in
                answer["mates"]?.array?.count { $0["state"] == "mate" } == 2
            }
            return Three(ana: meeting.one, bob: meeting.other, eve: eve)
        }

        func end() async throws { for node in all { try await node.remove() } }
    }

    @Test func `a group of three survives a removal and a return`() async throws {
        let three = try await Three.met()
        let (ana, bob, eve) = (three.ana, three.bob, three.eve)
        let group = try await ana.createGroup()
        for node in [bob, eve] {
            try await ana.invite(node, to: group)
            try await node.stands("invited", in: group)
            try await node.perform("group", "accept", ["group": .string(group)])
        }
        try await bob.addNote("one", in: group)
        try await eve.addNote("two", in: group)
        for node in three.all { try await node.shows(["one", "two"], in: group) }

        try await ana.perform(
            "group", "remove",
            ["group": .string(group), "person": .string(try await eve.person)])
        try await eve.stands("removed", in: group)
        try await bob.addNote("three", in: group)
        for node in [ana, bob] { try await node.shows(["one", "three", "two"], in: group) }
        #expect(try await eve.notes(in: group) == ["one", "two"])
        #expect(try await eve.shared(with: ana).contains(group) == false)

        try await ana.invite(eve, to: group)
        try await eve.stands("member", in: group)
        try await eve.shows(["one", "three", "two"], in: group)
        try await eve.addNote("four", in: group)
        for node in three.all {
            try await node.shows(["four", "one", "three", "two"], in: group)
        }
        #expect(try await bob.states(in: group).values.allSatisfy { $0 == "member" })
        try await three.end()
    }

    @Test func `members of one group who never met link and exchange the group`() async throws {
        let three = try await Three.met()
        let group = try await three.ana.createGroup()
        for node in [three.bob, three.eve] {
            try await three.ana.invite(node, to: group)
            try await node.stands("invited", in: group)
            try await node.perform("group", "accept", ["group": .string(group)])
        }
        try await three.eve.shows([], in: group, people: 3)
        try await three.bob.shows([], in: group, people: 3)
        try await three.ana.stop()
        try await three.bob.perform(
            "peer", "add", ["address": .string(three.eve.address)])
        try await three.bob.addNote("without Ana", in: group)
        try await three.eve.shows(["without Ana"], in: group)
        for node in [three.bob, three.eve] { try await node.remove() }
    }
}

extension RunningNode {
    fileprivate func createGroup() async throws -> String {
        let created = try await perform("group", "create", ["name": "Walkers"])
        guard let id = created["id"]?.string else { throw CommandFault.failed("no id") }
        return id
    }

    fileprivate func invite(_ other: RunningNode, to group: String) async throws {
        try await perform(
            "group", "invite",
            ["group": .string(group), "person": .string(try await other.person)])
    }

    fileprivate func addNote(_ text: String, in group: String) async throws {
        try await perform("group", "note", ["group": .string(group), "text": .string(text)])
    }

    /// Waits until this node's person has this state in the group.
    fileprivate func stands(_ state: String, in group: String) async throws {
        _ = try await wait(for: "group", "list") {
            $0["groups"]?.array?.contains {
                $0["id"]?.string == group && $0["state"]?.string == state
            } == true
        }
    }

    /// Waits until the group shows these notes, sorted, and this number of people.
    fileprivate func shows(
        _ notes: [String], in group: String, people: Int64? = nil
    ) async throws {
        _ = try await wait(for: "group", "show", ["group": .string(group)]) { answer in
            Self.texts(answer) == notes
                && people.map { answer["peopleCount"]?.integer == $0 } ?? true
        }
    }

    fileprivate func notes(in group: String) async throws -> [String] {
        Self.texts(try await perform("group", "show", ["group": .string(group)]))
    }

    private static func texts(_ answer: JSONValue) -> [String] {
        answer["notes"]?.array?.compactMap { $0["text"]?.string }.sorted() ?? []
    }

    /// Returns the state of each person of a group, as `status` reports it.
    fileprivate func states(in group: String) async throws -> [String: String] {
        let rows = try await perform("status", "show")["members"]?.array ?? []
        return rows.filter { $0["group"]?.string == group }.reduce(into: [:]) { states, row in
            if let person = row["person"]?.string { states[person] = row["state"]?.string }
        }
    }

    /// Returns the spaces that are compared with another node: those that both share.
    fileprivate func shared(with other: RunningNode) async throws -> [String] {
        let answer = try await perform(
            "verify", "run", ["peer": .string(try await other.device)])
        return answer["spaces"]?.array?.filter { $0["theirs"] != nil }
            .compactMap { $0["id"]?.string } ?? []
    }
}
