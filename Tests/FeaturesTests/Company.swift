import FeaturesAPI
import PluginKit
import Records
import TestSupport

@testable import Features

/// Ann, who is a mate of all the others, and her group. The others have met only Ann.
struct Company {
    let network: TestNetwork
    let ann: TestHost
    let ben: TestHost
    let cem: TestHost
    /// The group's id.
    let group: Key

    /// Creates three linked people in one group that Ann owns.
    static func of(_ network: TestNetwork) async throws -> Company {
        let ann = try await network.person(seed: 1, "Ann")
        let ben = try await network.person(seed: 2, "Ben")
        let cem = try await network.person(seed: 3, "Cem")
        for (one, other) in [(ann, ben), (ann, cem), (ben, cem)] {
            try await network.setLink(one, other, isUp: true)
        }
        try await network.meet(ann, ben, number: 7)
        try await network.meet(ann, cem, number: 8)
        let company = Company(
            network: network, ann: ann, ben: ben, cem: cem,
            group: try await ann.createGroup("Walkers"))
        for person in [ben, cem] {
            try await ann.invite(person, to: company.group)
            try await network.settle()
            try await person.call(
                GroupCommands.accept, .init(group: NameOrKey(company.group)))
            try await network.settle()
        }
        return company
    }

    /// Cuts Cem off from both others, or links him again.
    func setCem(isLinked: Bool) async throws {
        for other in [ann, ben] { try await network.setLink(other, cem, isUp: isLinked) }
    }
}

extension TestHost {
    /// Begins a group; returns its id.
    func createGroup(_ name: String) async throws -> Key {
        try await call(GroupCommands.create, .init(name: Text(name))).id
    }

    func invite(_ other: TestHost, to group: Key, as role: GroupRole? = nil) async throws {
        try await call(
            GroupCommands.invite,
            .init(group: NameOrKey(group), person: NameOrKey(other.me.person), role: role))
    }

    func remove(_ other: TestHost, from group: Key) async throws {
        try await call(
            GroupCommands.remove,
            .init(group: NameOrKey(group), person: NameOrKey(other.me.person)))
    }

    func addNote(_ text: String, in group: Key) async throws {
        try await call(GroupCommands.note, .init(group: NameOrKey(group), text: Text(text)))
    }

    /// Returns the state that this host's person has in a group; nil if it is not listed.
    func groupState(_ group: Key) async throws -> GroupState? {
        try await call(GroupCommands.list).groups.first { $0.id == group }?.state
    }

    /// Returns the answer of `group show`.
    func show(_ group: Key) async throws -> GroupDetail {
        try await call(GroupCommands.show, .init(group: NameOrKey(group)))
    }

    /// Returns the texts of the notes that a group shows, sorted.
    func notes(in group: Key) async throws -> [String] {
        try await show(group).notes.map(\.text.string).sorted()
    }

    /// Returns the state of another person in a group, as this host shows it.
    func state(of other: TestHost, in group: Key) async throws -> GroupDetail.Member.State? {
        try await entry(of: other, in: group)?.state
    }

    /// Returns the entry of another person in `group show`.
    func entry(of other: TestHost, in group: Key) async throws -> GroupDetail.Member? {
        try await show(group).members.first { $0.person == Key(other.me.person) }
    }

    /// Returns the titles of inbox items about groups that can be answered.
    func openInvitations() async throws -> [String] {
        try await inboxItems().filter { $0.kind == "group" && !$0.actions.isEmpty }
            .map { $0.title.string }
    }
}
