import Features
import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

/// Matches as a relation of the core: facts, ends, and what is shared because of them.
@Suite struct MatchesTests {
    private func id(_ number: UInt8) -> Bytes16 {
        Bytes16([UInt8](repeating: number, count: 16)) ?? .zero
    }

    private func people(_ network: TestNetwork) async throws -> (TestHost, TestHost) {
        let ann = try await network.host(seed: 1, [CoreFeatures.self])
        let ben = try await network.host(seed: 2, [CoreFeatures.self])
        try await network.setLink(ann, ben, isUp: true)
        return (ann, ben)
    }

    private func store(_ number: UInt8, _ one: TestHost, with other: TestHost) async throws {
        try await one.plugin(CoreFeatures.self)?.storeMatch(
            MatchFact(match: id(number), name: "Name", proof: [number]), with: other.me.person)
    }

    private func end(
        _ number: UInt8, _ one: TestHost, with other: TestHost, isCancel: Bool = false,
        isKnown: Bool = false
    ) async throws {
        try await one.plugin(CoreFeatures.self)?.endMatch(
            id(number), with: other.me.person, isCancel: isCancel, isKnown: isKnown)
    }

    private func matches(_ host: TestHost) async throws -> [StoredMatch] {
        try await host.plugin(CoreFeatures.self)?.matches() ?? []
    }

    private func shares(_ one: TestHost, with other: TestHost) async throws -> [SpaceDescriptor] {
        try await one.spaces(sharedWith: other.me.person)
    }

    @Test func `a match stands once both facts name it, and shares the pair and no card`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await people(network)
            try await store(1, ann, with: ben)
            try await network.settle()
            #expect(try await matches(ann).map(\.stands) == [false])
            #expect(try await matches(ben).isEmpty)
            // Another id is another match.
            try await store(2, ben, with: ann)
            try await network.settle()
            #expect(try await matches(ann).map(\.stands) == [false])
            try await store(1, ben, with: ann)
            try await network.settle()
            for (one, other) in [(ann, ben), (ben, ann)] {
                let standing = try await matches(one).filter(\.stands)
                #expect(standing.map(\.match) == [id(1)])
                #expect(standing.first?.theirs?.name == "Name")
                #expect(standing.first?.theirs?.proof == [1])
                let pair = SpaceDescriptor.between(one.me.person, other.me.person)
                #expect(try await shares(one, with: other) == [pair])
                let shown = try await one.rows("SELECT person FROM host_match WHERE stands")
                #expect(shown.compactMap { $0.person("person") } == [other.me.person])
                #expect(try await one.call(MateCommands.list).mates.isEmpty)
            }
        }
    }

    @Test func `an end is shared until the other side has it, and then nothing is`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await people(network)
            for (one, other) in [(ann, ben), (ben, ann)] { try await store(1, one, with: other) }
            try await network.settle()
            try await network.setLink(ann, ben, isUp: false)
            try await end(1, ann, with: ben, isCancel: true)
            #expect(try await matches(ann).first?.isUntold == true)
            #expect(try await matches(ann).first?.cancelled != nil)
            #expect(try await !shares(ann, with: ben).isEmpty)
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await matches(ben).map(\.isOver) == [true])
            #expect(try await matches(ben).first?.cancelled == nil)
            for (one, other) in [(ann, ben), (ben, ann)] {
                #expect(try await shares(one, with: other).isEmpty)
                #expect(try await matches(one).first?.isUntold == false)
            }
        }
    }

    @Test
    func `an end of which the other side knows shares nothing, and a second end adds nothing`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await people(network)
            try await store(1, ann, with: ben)
            try await end(1, ann, with: ben)
            #expect(try await !shares(ann, with: ben).isEmpty)
            try await end(1, ann, with: ben)
            #expect(try await ann.rows("SELECT * FROM neighbours_match_ending").count == 1)
            try await end(1, ann, with: ben, isKnown: true)
            #expect(try await shares(ann, with: ben).isEmpty)
            try await end(1, ann, with: ben, isKnown: true)
            #expect(try await ann.rows("SELECT * FROM neighbours_match_ending").count == 2)
            // The end of a match that was never stored writes nothing.
            try await end(9, ann, with: ben)
            #expect(try await ann.rows("SELECT * FROM neighbours_match_ending").count == 2)
        }
    }

    @Test func `a person matched twice has one record for each match, and a later match counts`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await people(network)
            for number: UInt8 in [1, 2] {
                for (one, other) in [(ann, ben), (ben, ann)] {
                    try await store(number, one, with: other)
                }
                try await network.settle()
                #expect(try await matches(ann).filter(\.stands).map(\.match) == [id(number)])
                try await end(number, ben, with: ann)
                try await network.settle()
            }
            #expect(try await matches(ann).count == 2)
            #expect(try await matches(ann).filter(\.stands).isEmpty)
        }
    }

    @Test func `no match is stored with myself or with a person I blocked`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await people(network)
            await #expect(throws: CommandFault.self) { try await store(1, ann, with: ann) }
            try await ann.call(
                MateCommands.block,
                .init(person: NameOrKey(Key(ben.me.person)), reason: .other))
            await #expect(throws: CommandFault.self) { try await store(1, ann, with: ben) }
            #expect(try await matches(ann).isEmpty)
        }
    }
}
