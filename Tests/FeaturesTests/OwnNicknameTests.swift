import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

/// My own nicknames for mates.
@Suite struct OwnNicknameTests {
    private func rename(
        _ other: TestHost, to nickname: String, by host: TestHost
    ) async throws {
        try await host.call(
            MateCommands.rename,
            .init(person: NameOrKey(other.me.person), as: OwnNickname(nickname)))
    }

    @Test func `a nickname replaces the mate's name for me, and never reaches the mate`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            _ = ann.drainEvents()
            try await rename(ben, to: "Benjamin", by: ann)
            try await network.settle()
            #expect(try await ann.features.names()[ben.me.person] == "Benjamin")
            let mate = try #require(try await ann.mate(ben))
            #expect(mate.ownNickname == "Benjamin" && mate.profile.nickname == "Ben")
            #expect(Set(ann.drainEvents()).isSuperset(of: ["mates", "nearby", "walk", "inbox"]))
            #expect(try await ben.rows("SELECT * FROM neighbours_own_nickname").isEmpty)
        }
    }

    @Test func `the newest nickname counts, and an empty one gives the own name back`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            for nickname in ["Benjamin", "Benny"] { try await rename(ben, to: nickname, by: ann) }
            #expect(try await ann.features.names()[ben.me.person] == "Benny")
            #expect(try await ann.rows("SELECT * FROM neighbours_own_nickname").count == 1)
            try await rename(ben, to: "", by: ann)
            #expect(try await ann.features.names()[ben.me.person] == "Ben")
            #expect(try await ann.mate(ben)?.ownNickname == nil)
            #expect(try await ann.rows("SELECT * FROM neighbours_own_nickname").isEmpty)
        }
    }

    @Test func `a command finds a mate by both names, the one that is shown first`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let mina = try await network.person(seed: 2, "Mina")
            try await network.setLink(ann, mina, isUp: true)
            try await network.meet(ann, mina)
            try await rename(mina, to: "Minnie", by: ann)
            #expect(try await ann.features.person(NameOrKey("minnie")) == mina.me.person)
            #expect(try await ann.features.person(NameOrKey("Mina")) == mina.me.person)
            let other = try await network.person(seed: 3, "Mina")
            try await network.setLink(ann, other, isUp: true)
            try await network.meet(ann, other, number: 8)
            #expect(try await ann.features.person(NameOrKey("Mina")) == other.me.person)
            await #expect(
                throws: CommandFault.notFound("There is no mate Nobody; see 'mates list'.")
            ) { try await ann.features.person(NameOrKey("Nobody")) }
        }
    }

    @Test func `a nickname that is another mate's name shows the end of both keys`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let (kim, lee) = (
                try await network.person(seed: 2, "Kim"), try await network.person(seed: 3, "Lee")
            )
            for (number, other) in [(UInt8(7), kim), (8, lee)] {
                try await network.setLink(ann, other, isUp: true)
                try await network.meet(ann, other, number: number)
            }
            try await rename(lee, to: "Kim", by: ann)
            let names = try await ann.features.names()
            #expect(names[kim.me.person] == "Kim · \(kim.me.person.suffix)")
            #expect(names[lee.me.person] == "Kim · \(lee.me.person.suffix)")
            await #expect(throws: CommandFault.self) {
                try await ann.features.person(NameOrKey("Kim"))
            }
        }
    }

    @Test func `a nickname has at most 20 characters and is for mates`() async throws {
        #expect(throws: CommandFault.self) {
            try OwnNickname(String(repeating: "가", count: 21))
        }
        let longest = String(repeating: "가", count: 20)
        #expect(try OwnNickname(longest).string == longest)
        try await TestNetwork.with { network in
            let (ann, ben) = (
                try await network.person(seed: 1, "Ann"), try await network.person(seed: 2, "Ben")
            )
            await #expect(
                throws: CommandFault.refused("You can give a nickname to your mates only.")
            ) { try await rename(ben, to: "Benny", by: ann) }
        }
    }

    @Test func `the list of blocked people has my nickname`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await rename(ben, to: "Barker", by: ann)
            try await ann.call(
                MateCommands.block, .init(person: NameOrKey(ben.me.person), reason: .other))
            #expect(try await ann.call(MateCommands.blocked).blocked.first?.name == "Barker")
        }
    }
}
