import PluginKit
import PromisesAPI
import TestSupport
import Testing

@testable import Promises

/// The contract of the commands: requests that the schema admits and a rule refuses, and the JSON
/// of the answers.
@Suite struct PromiseContractTests {
    @Test func `an edit contains a change, and a location has both coordinates`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise()
            await #expect {
                try await friends.ann.call(PromiseCommands.edit, .init(promise: NameOrKey(id)))
            } throws: { ($0 as? CommandFault)?.code == "usage" }
            let refusal = CommandFault.refused("A location has a latitude and a longitude.")
            for change in [
                EditPromise(promise: NameOrKey(id), latitude: try Latitude(1)),
                EditPromise(promise: NameOrKey(id), longitude: try Longitude(1)),
            ] {
                await #expect(throws: refusal) {
                    try await friends.ann.call(PromiseCommands.edit, change)
                }
            }
            let moved = try await friends.ann.call(
                PromiseCommands.edit,
                .init(
                    promise: NameOrKey(id), latitude: Latitude(-90),
                    longitude: Longitude(180)))
            #expect(moved.summary.latitude == -90 && moved.summary.longitude == 180)
        }
    }

    @Test func `at least one mate is asked, and the time fits in a record`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise()
            await #expect(throws: CommandFault.refused("Name at least one mate.")) {
                _ = try await friends.ann.promise(with: [])
            }
            await #expect(throws: CommandFault.refused("Name at least one mate.")) {
                try await friends.ann.call(
                    PromiseCommands.invite, .init(promise: NameOrKey(id), with: []))
            }
            let last = Timestamp(milliseconds: Timestamp.millisecondsMax - 10_800_000)
            let edit = { @Sendable (at: Timestamp) in EditPromise(promise: NameOrKey(id), atMs: at)
            }
            await #expect(throws: CommandFault.refused("This time is too far away.")) {
                try await friends.ann.call(PromiseCommands.edit, edit(last + .milliseconds(1)))
            }
            let moved = try await friends.ann.call(PromiseCommands.edit, edit(last))
            #expect(moved.summary.atMs == last)
        }
    }

    @Test func `a promise is made without a name of its location if the name is empty`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            for (name, isTaken) in [
                ("", true), (" ", true), (String(repeating: "x", count: 51), false),
            ] {
                let make = { @Sendable () async throws in
                    try await friends.ann.promise(
                        with: friends.others, "locationName", .string(name))
                }
                if isTaken {
                    #expect(try await make()["locationName"] == nil)
                } else {
                    await #expect(throws: CommandFault.self) { _ = try await make() }
                }
            }
        }
    }

    @Test func `the members of the summary are beside the people in JSON`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise()
            let json = try await friends.ann.answer(
                to: PromiseCommands.show.declaration,
                ["promise": .string(String(id.string.prefix(6)))])
            #expect(json["id"] == .string(id.string) && json["title"] == "Dinner")
            #expect(json["phase"] == "scheduled" && json["sharing"] == "idle")
            #expect(json["people"]?.array?.map { $0["state"] } == ["member", "member"])
            #expect(json["people"]?.array?.first?["lateness"] == "open")
            let result = PromiseCommands.show.declaration.result
            #expect(result.members.map(\.name).prefix(3) == ["id", "title", "atMs"])
            #expect(result.members.last?.name == "people")
            try result.check(json, field: "answer")
        }
    }
}
