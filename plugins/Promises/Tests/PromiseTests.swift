import PluginKit
import Records
import TestSupport
import Testing

@testable import Promises

/// Making, changing, accepting and deleting promises.
@Suite struct PromiseTests {
    @Test func `a promise reaches its participants, who accept, and everybody sees the same`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(accepting: false)
            for other in friends.others {
                #expect(try await other.show(id)["state"] == "invited")
                #expect(try await other.news() == ["Ann asks you to promise: Dinner"])
                try await other.run("promise", "accept", ["promise": .string(id)])
                try await network.settle()
                #expect(try await other.news().isEmpty)
            }
            for host in friends.all {
                let shown = try await host.show(id)
                #expect(shown["peopleCount"] == 3 && shown["penalty"] == 500)
                #expect(shown["phase"] == "scheduled" && shown["sharing"] == "idle")
            }
            // Ben and Cem are no mates: each is what they call themselves, with their key's end.
            let name = try await friends.ben.person(friends.cem, in: id)?["name"]?.string
            #expect(name == "Cem · \(friends.cem.me.person.suffix)")
            #expect(try await friends.ann.person(friends.cem, in: id)?["name"] == "Cem")
        }
    }

    @Test(arguments: [(1, true), (15, true), (16, false), (0, false)])
    func `a title has 1 to 15 characters`(_ count: Int, _ isTaken: Bool) async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            // A family is one character.
            let title = String(repeating: "👨‍👩‍👧", count: count)
            let make = { @Sendable () async throws in
                try await friends.ann.promise(with: friends.others, title: title)
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
                throws: CommandFault.usage(
                    "A promise is made at least 30 minutes ahead.", field: "atMs")
            ) { _ = try await friends.ann.promise(with: friends.others, inSeconds: 1799) }
            await #expect(
                throws: CommandFault.usage(
                    "This time has passed; a promise is for a time to come.", field: "atMs")
            ) { _ = try await friends.ann.promise(with: friends.others, inSeconds: -1) }
        }
    }

    @Test func `a penalty of the list is taken as it is`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            for penalty in Self.penalties {
                let id = try await friends.ann.promise(with: friends.others, penalty: penalty)
                #expect(try await friends.ann.show(id)["penalty"] == .integer(penalty))
            }
        }
    }

    @Test func `a penalty beside the list is refused, and nothing is begun`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let list = Self.penalties.map(String.init).joined(separator: ", ")
            let refusal = CommandFault.usage(
                "The penalty is one of \(list) potatoes.", field: "penalty")
            for penalty: Int64 in [
                .min, -100, -1, 1, 99, 101, 600, 999, 1001, 1499, 1501, 4999, 5001, 5500, .max,
            ] {
                await #expect(throws: refusal, "\(penalty)") {
                    try await friends.ann.promise(with: friends.others, penalty: penalty)
                }
            }
            #expect(try await friends.ann.listed().isEmpty)
        }
    }

    /// As the rules give them.
    private static let penalties: [Int64] = [
        0, 100, 200, 300, 400, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000,
    ]

    @Test func `only mates are asked, and nothing is begun where one is none`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            await #expect {
                _ = try await friends.ben.promise(with: [friends.ann, friends.cem])
            } throws: { ($0 as? CommandFault)?.sentence.contains("mates only") == true }
            #expect(try await friends.ben.listed().isEmpty)
            await #expect(throws: CommandFault.self) {
                _ = try await friends.ann.promise(with: [friends.ann])
            }
        }
    }

    @Test func `its maker alone edits and deletes it`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise()
            let refusal = CommandFault.refused(
                "Only who made a promise changes, deletes or invites to it.")
            for (verb, more) in [
                ("edit", ["title": JSONValue.string("Lunch")]), ("delete", [:]),
                ("invite", ["with": [friends.ann.key64]]),
            ] {
                await #expect(throws: refusal) {
                    try await friends.ben.run(
                        "promise", verb,
                        more.merging(["promise": .string(id)]) { one, _ in one })
                }
            }
            try await friends.ann.run(
                "promise", "edit",
                ["promise": .string(id), "title": "Lunch", "penalty": 1000, "place": "Gate 3"])
            try await network.settle()
            for host in friends.all {
                let shown = try await host.show(id)
                #expect(shown["title"] == "Lunch" && shown["penalty"] == 1000)
                #expect(shown["place"] == "Gate 3")
            }
        }
    }

    @Test func `a deleted promise is nobody's any more, and those who take part are told`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise()
            try await friends.ann.run("promise", "delete", ["promise": .string(id)])
            try await network.settle()
            for host in friends.all { #expect(try await host.listed().isEmpty) }
            #expect(try await friends.ben.news() == ["Ann called off Dinner"])
            #expect(try await friends.ann.news().isEmpty)
            await #expect(throws: CommandFault.conflict("This promise is deleted.")) {
                try await friends.ann.run(
                    "promise", "edit", ["promise": .string(id), "title": "Lunch"])
            }
        }
    }

    @Test func `who declines or leaves takes part no more, and the maker cannot leave`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(accepting: false)
            try await friends.ben.run("promise", "leave", ["promise": .string(id)])
            try await friends.cem.run("promise", "accept", ["promise": .string(id)])
            try await network.settle()
            try await friends.cem.run("promise", "leave", ["promise": .string(id)])
            try await network.settle()
            #expect(try await friends.ann.show(id)["peopleCount"] == 1)
            #expect(try await friends.ben.news().isEmpty)
            await #expect(
                throws: CommandFault.refused("You made this promise; delete it instead.")
            ) { try await friends.ann.run("promise", "leave", ["promise": .string(id)]) }
            await #expect(throws: CommandFault.self) {
                try await friends.ben.run("promise", "accept", ["promise": .string(id)])
            }
            // Asked again, Ben may take part after all.
            try await friends.ann.run(
                "promise", "invite", ["promise": .string(id), "with": [friends.ben.key64]])
            try await network.settle()
            try await friends.ben.run("promise", "accept", ["promise": .string(id)])
            try await network.settle()
            #expect(try await friends.ann.show(id)["peopleCount"] == 2)
        }
    }

    @Test func `once its time has come a promise stays as it is`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try await network.skip(seconds: 1801)
            await #expect(
                throws: CommandFault.conflict(
                    "The time of this promise has come; it stays as it is.")
            ) { try await friends.ann.run("promise", "delete", ["promise": .string(id)]) }
            await #expect(throws: CommandFault.self) {
                try await friends.ben.run("promise", "leave", ["promise": .string(id)])
            }
        }
    }

    @Test func `an id that is none, or of nothing, is said`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            for (text, code) in [("abc", "usage"), ("zzzzzz", "usage"), ("abcdef", "notFound")] {
                await #expect {
                    _ = try await friends.ann.show(text)
                } throws: { ($0 as? CommandFault)?.code == code }
            }
        }
    }

    @Test func `edits made apart converge, each field by itself`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise()
            try await friends.setLinks(of: friends.ben, isUp: false)
            try await friends.ann.run(
                "promise", "edit", ["promise": .string(id), "title": "Lunch"])
            #expect(try await friends.ben.show(id)["title"] == "Dinner")
            try await friends.setLinks(of: friends.ben, isUp: true)
            try await network.settle()
            #expect(try await friends.ben.show(id)["title"] == "Lunch")
        }
    }
}
