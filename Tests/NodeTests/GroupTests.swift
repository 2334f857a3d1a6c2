import FeaturesAPI
import NodeAPI
import NodeTestSupport
import PluginKit
import TestSupport
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
            try await eve.call(ProfileCommands.edit, Meeting.profile("Eve", dog: "Zoe"))
            try await eve.dial(meeting.one)
            let second = Meeting(one: meeting.one, other: eve)
            try await eve.wait(for: NearbyCommands.list) { $0.people.count == 1 }
            try await second.drop()
            try await meeting.one.wait(for: MateCommands.list) { answer in
                answer.mates.count { $0.state == .mate } == 2
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
            try await node.stands(.invited, in: group)
            try await node.call(GroupCommands.accept, .init(group: NameOrKey(group)))
        }
        try await bob.addNote("one", in: group)
        try await eve.addNote("two", in: group)
        for node in three.all { try await node.shows(["one", "two"], in: group) }

        try await ana.call(
            GroupCommands.remove, .init(group: NameOrKey(group), person: NameOrKey(eve.person)))
        try await eve.stands(.removed, in: group)
        try await bob.addNote("three", in: group)
        for node in [ana, bob] { try await node.shows(["one", "three", "two"], in: group) }
        #expect(try await eve.notes(in: group) == ["one", "two"])
        #expect(try await eve.shared(with: ana).contains(group) == false)

        try await ana.invite(eve, to: group)
        try await eve.stands(.member, in: group)
        try await eve.shows(["one", "three", "two"], in: group)
        try await eve.addNote("four", in: group)
        for node in three.all {
            try await node.shows(["four", "one", "three", "two"], in: group)
        }
        #expect(try await bob.states(in: group).values.allSatisfy { $0 == .member })
        try await three.end()
    }

    @Test func `members of one group who never met link and exchange the group`() async throws {
        let three = try await Three.met()
        let group = try await three.ana.createGroup()
        for node in [three.bob, three.eve] {
            try await three.ana.invite(node, to: group)
            try await node.stands(.invited, in: group)
            try await node.call(GroupCommands.accept, .init(group: NameOrKey(group)))
        }
        try await three.eve.shows([], in: group, people: 3)
        try await three.bob.shows([], in: group, people: 3)
        try await three.ana.stop()
        try await three.bob.dial(three.eve)
        try await three.bob.addNote("without Ana", in: group)
        try await three.eve.shows(["without Ana"], in: group)
        for node in [three.bob, three.eve] { try await node.remove() }
    }
}

extension RunningNode {
    fileprivate func createGroup() async throws -> Key {
        try await call(GroupCommands.create, .init(name: Text("Walkers"))).id
    }

    fileprivate func invite(_ other: RunningNode, to group: Key) async throws {
        try await call(
            GroupCommands.invite, .init(group: NameOrKey(group), person: NameOrKey(other.person)))
    }

    fileprivate func addNote(_ text: String, in group: Key) async throws {
        try await call(GroupCommands.note, .init(group: NameOrKey(group), text: Text(text)))
    }

    /// Waits until this node's person has this state in the group.
    fileprivate func stands(_ state: GroupState, in group: Key) async throws {
        try await wait(for: GroupCommands.list) {
            $0.groups.contains { $0.id == group && $0.state == state }
        }
    }

    /// Waits until the group shows these notes, sorted, and this number of people.
    fileprivate func shows(
        _ notes: [String], in group: Key, people: Int? = nil
    ) async throws {
        try await wait(for: GroupCommands.show, .init(group: NameOrKey(group))) { answer in
            Self.texts(answer) == notes
                && people.map { answer.peopleCount == $0 } ?? true
        }
    }

    fileprivate func notes(in group: Key) async throws -> [String] {
        Self.texts(try await call(GroupCommands.show, .init(group: NameOrKey(group))))
    }

    private static func texts(_ group: GroupDetail) -> [String] {
        group.notes.map(\.text.string).sorted()
    }

    /// Returns the state of each person of a group, as `status` reports it.
    fileprivate func states(in group: Key) async throws -> [Key: NodeStatus.Member.State] {
        let rows = try await call(NodeCommands.status).members
        return rows.filter { $0.group == group }.reduce(into: [:]) { states, row in
            states[row.person] = row.state
        }
    }

    /// Returns the spaces that are compared with another node: those that both share.
    fileprivate func shared(with other: RunningNode) async throws -> [Key] {
        let answer = try await call(NodeCommands.verify, .init(peer: NameOrKey(other.device)))
        return answer.spaces.filter { $0.theirs != nil }.map(\.id)
    }
}
