import PluginKit
import Records
import TestSupport

@testable import Neighbours

/// Ann, who is a mate of all the others, and her group. The others meet nobody but her.
struct Company {
    let network: TestNetwork
    let ann: TestHost
    let ben: TestHost
    let cem: TestHost
    /// The group's id.
    let group: String

    /// Three linked people in one group that Ann owns.
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
            try await person.run("group", "accept", ["group": .string(company.group)])
            try await network.settle()
        }
        return company
    }

    /// Cuts Cem off from both others, or joins him again.
    func setCem(isLinked: Bool) async throws {
        for other in [ann, ben] { try await network.setLink(other, cem, isUp: isLinked) }
    }
}

extension TestHost {
    /// Begins a group; returns its id.
    func createGroup(_ name: String) async throws -> String {
        guard let id = try await run("group", "create", ["name": .string(name)])["id"]?.string
        else { throw CommandFault.failed("the group has no id") }
        return id
    }

    func invite(_ other: TestHost, to group: String, as role: String? = nil) async throws {
        var arguments: [String: JSONValue] = [
            "group": .string(group), "person": .string(other.me.person.description),
        ]
        arguments["role"] = role.map { .string($0) }
        try await run("group", "invite", arguments)
    }

    func remove(_ other: TestHost, from group: String) async throws {
        try await run(
            "group", "remove",
            ["group": .string(group), "person": .string(other.me.person.description)])
    }

    func note(_ text: String, in group: String) async throws {
        try await run("group", "note", ["group": .string(group), "text": .string(text)])
    }

    /// How this host's person stands with a group; nil where it is not listed.
    func groupState(_ group: String) async throws -> String? {
        try await run("group", "list")["groups"]?.array?
            .first { $0["id"]?.string == group }?["state"]?.string
    }

    /// The texts of the notes a group shows, sorted.
    func notes(in group: String) async throws -> [String] {
        try await run("group", "show", ["group": .string(group)])["notes"]?.array?
            .compactMap { $0["text"]?.string }.sorted() ?? []
    }

    /// How somebody stands in a group, as this host shows it.
    func state(of other: TestHost, in group: String) async throws -> String? {
        try await entry(of: other, in: group)?["state"]?.string
    }

    /// The entry of somebody in `group show`.
    func entry(of other: TestHost, in group: String) async throws -> JSONValue? {
        try await run("group", "show", ["group": .string(group)])["members"]?.array?
            .first { $0["person"]?.string == other.me.person.description }
    }

    /// The titles of inbox items about groups that can be answered.
    func openInvitations() async throws -> [String] {
        try await run("inbox", "list")["items"]?.array?
            .filter { $0["kind"] == "group" && $0["actions"]?.array?.isEmpty == false }
            .compactMap { $0["title"]?.string } ?? []
    }
}
