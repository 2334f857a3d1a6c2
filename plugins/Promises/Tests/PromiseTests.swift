import PluginKit
import PromisesAPI
import Records
import TestSupport
import Testing

@testable import Promises

/// Making, changing, accepting and deleting promises.
@Suite struct PromiseTests {
    @Test func `a promise reaches its participants, and all see the same once they accept`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(accepting: false)
            for other in friends.others {
                #expect(try await other.show(id).summary.state == .invited)
                #expect(try await other.news() == ["Ann invites you to Dinner"])
                try await other.call(PromiseCommands.accept, .init(id))
                try await network.settle()
                #expect(try await other.news().isEmpty)
            }
            for host in friends.all {
                let shown = try await host.show(id)
                #expect(shown.summary.peopleCount == 3 && shown.summary.penalty == 500)
                #expect(shown.summary.phase == .scheduled && shown.summary.sharing == .idle)
            }
            // Ben and Cem are not mates: each sees the other's own name with the end of the key.
            let name = try await friends.ben.person(friends.cem, in: id)?.name
            #expect(name == "Cem · \(friends.cem.me.person.suffix)")
            #expect(try await friends.ann.person(friends.cem, in: id)?.name == "Cem")
        }
    }

    @Test(arguments: [(1, true), (15, true), (16, false), (0, false)])
    func `a title has 1 to 15 characters`(_ count: Int, _ isTaken: Bool) async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            // A family emoji is one character.
            let title = String(repeating: "👨‍👩‍👧", count: count)
            let make = { @Sendable () async throws in
                try await friends.ann.promise(with: friends.others, "title", .string(title))
            }
            if isTaken {
                _ = try await make()
            } else {
                await #expect(throws: CommandFault.self) { _ = try await make() }
            }
        }
    }

    @Test func `a promise is made half an hour ahead or more`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            _ = try await friends.ann.promise(with: friends.others, inSeconds: 1800)
            await #expect(
                throws: CommandFault.refused("A promise must be at least 30 minutes ahead.")
            ) { _ = try await friends.ann.promise(with: friends.others, inSeconds: 1799) }
            await #expect(
                throws: CommandFault.refused(
                    "This time has passed; choose one in the future.")
            ) { _ = try await friends.ann.promise(with: friends.others, inSeconds: -1) }
        }
    }

    @Test func `a penalty of the list is accepted unchanged`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            for penalty in Self.penalties {
                let id = try await friends.ann.promise(with: friends.others, penalty: penalty)
                #expect(try await friends.ann.show(id).summary.penalty == penalty)
            }
        }
    }

    @Test func `a penalty that is not in the list is refused, and no promise is made`() async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let list = Self.penalties.map(String.init).joined(separator: ", ")
            let refusal = CommandFault.refused(
                "The penalty must be one of these numbers of potatoes: \(list).")
            for penalty in [1, 99, 101, 600, 999, 1001, 1499, 1501, 4999] {
                await #expect(throws: refusal, "\(penalty)") {
                    try await friends.ann.promise(with: friends.others, penalty: penalty)
                }
            }
            let fault = CommandFault.usage(
                "'penalty' must be a whole number from 0 to 5000", field: "penalty")
            for penalty: Int64 in [.min, -100, -1, 5001, 5500, .max] {
                await #expect(throws: fault, "\(penalty)") {
                    try await friends.ann.promise(
                        with: friends.others, "penalty", .integer(penalty))
                }
            }
            #expect(try await friends.ann.listed().isEmpty)
        }
    }

    /// The penalties that the rules list.
    private static let penalties = [
        0, 100, 200, 300, 400, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000,
    ]

    @Test func `only mates are asked, and no promise is made if one person is not a mate`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            await #expect {
                _ = try await friends.ben.promise(with: [friends.ann, friends.cem])
            } throws: { ($0 as? CommandFault)?.sentence.contains("only with mates") == true }
            #expect(try await friends.ben.listed().isEmpty)
            await #expect(throws: CommandFault.self) {
                _ = try await friends.ann.promise(with: [friends.ann])
            }
        }
    }

    @Test func `only the maker edits and deletes a promise`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise()
            let refusal = CommandFault.refused(
                "Only the maker can change or delete a promise, or invite people to it.")
            await #expect(throws: refusal) {
                try await friends.ben.call(
                    PromiseCommands.edit, .init(promise: NameOrKey(id), title: Text("Lunch")))
            }
            await #expect(throws: refusal) {
                try await friends.ben.call(PromiseCommands.delete, .init(promise: NameOrKey(id)))
            }
            await #expect(throws: refusal) {
                try await friends.ben.call(
                    PromiseCommands.invite,
                    .init(promise: NameOrKey(id), with: [friends.ann.prefix]))
            }
            try await friends.ann.call(
                PromiseCommands.edit,
                .init(
                    promise: NameOrKey(id), title: Text("Lunch"), locationName: Text("Gate 3"),
                    penalty: Whole(1000)))
            try await network.settle()
            for host in friends.all {
                let shown = try await host.show(id)
                #expect(shown.summary.title == "Lunch" && shown.summary.penalty == 1000)
                #expect(shown.summary.locationName == "Gate 3")
            }
        }
    }

    @Test func `a deleted promise is removed for everybody, and participants are told`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise()
            try await friends.ann.call(PromiseCommands.delete, .init(id))
            try await network.settle()
            for host in friends.all { #expect(try await host.listed().isEmpty) }
            #expect(try await friends.ben.news() == ["Ann called off Dinner"])
            #expect(try await friends.ann.news().isEmpty)
            await #expect(throws: CommandFault.conflict("This promise is deleted.")) {
                try await friends.ann.call(
                    PromiseCommands.edit, .init(promise: NameOrKey(id), title: Text("Lunch")))
            }
        }
    }

    @Test func `a person who declines or leaves does not take part, and the maker cannot leave`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(accepting: false)
            try await friends.ben.call(PromiseCommands.leave, .init(id))
            try await friends.cem.call(PromiseCommands.accept, .init(id))
            try await network.settle()
            try await friends.cem.call(PromiseCommands.leave, .init(id))
            try await network.settle()
            #expect(try await friends.ann.show(id).summary.peopleCount == 1)
            #expect(try await friends.ben.news().isEmpty)
            await #expect(
                throws: CommandFault.refused("You made this promise; delete it instead.")
            ) { try await friends.ann.call(PromiseCommands.leave, .init(id)) }
            await #expect(throws: CommandFault.self) {
                try await friends.ben.call(PromiseCommands.accept, .init(id))
            }
            // Ben is asked again, and may take part after all.
            try await friends.ann.call(
                PromiseCommands.invite,
                .init(promise: NameOrKey(id), with: [friends.ben.prefix]))
            try await network.settle()
            try await friends.ben.call(PromiseCommands.accept, .init(id))
            try await network.settle()
            #expect(try await friends.ann.show(id).summary.peopleCount == 2)
        }
    }

    @Test func `a promise cannot be changed once its time has come`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try await network.skip(seconds: 1801)
            await #expect(
                throws: CommandFault.conflict(
                    "The time of this promise has come; it stays as it is.")
            ) { try await friends.ann.call(PromiseCommands.delete, .init(id)) }
            await #expect(throws: CommandFault.self) {
                try await friends.ben.call(PromiseCommands.leave, .init(id))
            }
        }
    }

    @Test func `a name or an id that is blank or unknown is reported`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            for (text, code) in [("", "usage"), ("abc", "notFound"), ("abcdef", "notFound")] {
                await #expect {
                    try await friends.ann.answer(
                        to: PromiseCommands.show.declaration, ["promise": .string(text)])
                } throws: { ($0 as? CommandFault)?.code == code }
            }
        }
    }

    @Test func `edits made offline converge field by field`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise()
            try await friends.setLinks(of: friends.ben, isUp: false)
            try await friends.ann.call(
                PromiseCommands.edit, .init(promise: NameOrKey(id), title: Text("Lunch")))
            #expect(try await friends.ben.show(id).summary.title == "Dinner")
            try await friends.setLinks(of: friends.ben, isUp: true)
            try await network.settle()
            #expect(try await friends.ben.show(id).summary.title == "Lunch")
        }
    }
}
