import PluginKit
import Records
import TestSupport
import Testing

@testable import Neighbours

@Suite struct ProfileTests {
    @Test func `a new person's profile is empty and incomplete`() async throws {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [Neighbours.self])
            let me = try await host.run("me", "show")
            #expect(me["complete"] == false)
            #expect(me["nickname"] == nil)
            #expect(me["person"]?.string == host.me.person.description)
        }
    }

    @Test func `each field is edited alone and the others stay`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.run("me", "edit", ["age": 4, "keywords": ["smart", "shy"]])
            let me = try await ann.run("me", "edit", ["size": "big", "neutered": false])
            #expect(me["nickname"] == "Ann")
            #expect(me["age"] == 4)
            #expect(me["keywords"] == ["smart", "shy"])
            #expect(me["neutered"] == false)
            #expect(me["complete"] == true)
        }
    }

    @Test func `ages of 0 and 99 are taken and 100 is refused`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.run("me", "edit", ["age": 0])
            try await ann.run("me", "edit", ["age": 99])
            await #expect(
                throws: CommandFault.usage(
                    "An age is a whole number from 0 to 99 years.", field: "age")
            ) { try await ann.run("me", "edit", ["age": 100]) }
        }
    }

    @Test(arguments: [
        ([], false), (["shy"], true), (["shy", "smart"], true),
        (["shy", "smart", "friendly"], false), (["grumpy"], false),
    ])
    func `a profile has one or two of the five keywords`(
        _ words: [String], _ isTaken: Bool
    ) async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let edit = { @Sendable () async throws in
                try await ann.run("me", "edit", ["keywords": .array(words.map { .string($0) })])
            }
            if isTaken {
                _ = try await edit()
            } else {
                await #expect(throws: CommandFault.self) { try await edit() }
            }
        }
    }

    @Test func `a fault names its field and nothing of the edit is written`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            await #expect {
                try await ann.run("me", "edit", ["nickname": "A", "dogName": "Momo"])
            } throws: { error in
                guard case .usage(let sentence, let field) = error as? CommandFault else {
                    return false
                }
                return field == "nickname" && sentence.contains("2 to 8")
            }
            #expect(try await ann.run("me", "show")["dogName"] == "Bori")
        }
    }

    @Test func `a field kept private never enters the card`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.run("me", "edit", ["age": 4, "keptPrivate": ["age", "sex"]])
            try await ann.run("me", "edit", ["sex": "female"])
            let card = try await ann.neighbours.myCard()
            #expect(card["age"] == nil && card["sex"] == nil && card["nickname"] == "Ann")
            let stored = try await ann.rows("SELECT age, sex FROM neighbours_profile")
            #expect(stored.allSatisfy { $0["age"] == .null && $0["sex"] == .null })
            let me = try await ann.run("me", "show")
            #expect(me["age"] == 4 && me["sex"] == "female")
            #expect(me["keptPrivate"] == ["age", "sex"])
        }
    }

    @Test func `a field can become public again, and private after that`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.run("me", "edit", ["age": 4, "keptPrivate": ["age"]])
            try await ann.run("me", "edit", ["keptPrivate": []])
            #expect(try await ann.neighbours.myCard()["age"] == 4)
            try await ann.run("me", "edit", ["keptPrivate": ["age"]])
            #expect(try await ann.neighbours.myCard()["age"] == nil)
            #expect(try await ann.run("me", "show")["age"] == 4)
        }
    }

    @Test func `an edit that a crash cut in two is completed at the next start`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.run("me", "edit", ["age": 4])
            // What an edit to keep the age private has written before it empties the card.
            try await ann.write(
                [
                    .own(
                        collection: Neighbours.privateProfile.name,
                        fields: ["age": .integer(4), "kept_private": .list([.text("age")])])
                ], in: .own(ann.me.person))
            await ann.start()
            let stored = try await ann.rows("SELECT age FROM neighbours_profile")
            #expect(stored.map { $0["age"] } == [.null])
            #expect(try await ann.run("me", "show")["age"] == 4)
        }
    }

    @Test func `a name can be neither cleared nor kept private`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            for parameter in ["clear", "keptPrivate"] {
                await #expect(throws: CommandFault.self) {
                    try await ann.run("me", "edit", [parameter: ["nickname"]])
                }
            }
            try await ann.run("me", "edit", ["age": 4])
            #expect(try await ann.run("me", "edit", ["clear": ["age"]])["age"] == nil)
        }
    }

    @Test func `an edit of nothing is refused`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            await #expect(throws: CommandFault.self) { try await ann.run("me", "edit") }
        }
    }

    @Test func `a card from outside is cut to the rules`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let checked = try await ann.neighbours.checkedCard([
                "nickname": .string("x" + String(repeating: "\u{301}", count: 4000)),
                "dogName": 7, "age": 1_000_000, "sex": "dragon", "neutered": "yes",
                "keywords": ["smart", "evil", "shy", "friendly"], "other": "x",
            ])
            #expect(checked["nickname"]?.string?.unicodeScalars.count == 16)
            #expect(Set(checked.keys) == ["nickname", "keywords"])
            #expect(checked["keywords"] == ["smart", "shy"])
        }
    }
}
