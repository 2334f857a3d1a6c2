import Features
import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

/// Agreements as a relation of the core: facts, ends, and what is shared because of them.
@Suite struct AgreementsTests {
    private func id(_ number: UInt8) -> Bytes16 {
        Bytes16([UInt8](repeating: number, count: 16)) ?? .zero
    }

    private func people(_ network: TestNetwork) async throws -> (TestHost, TestHost) {
        let ann = try await network.host(seed: 1, [CoreFeatures.self])
        let ben = try await network.host(seed: 2, [CoreFeatures.self])
        try await network.setLink(ann, ben, isUp: true)
        return (ann, ben)
    }

    private func store(
        _ purpose: AgreementPurpose, _ number: UInt8, _ one: TestHost, with other: TestHost
    ) async throws {
        try await one.plugin(CoreFeatures.self)?.storeFact(
            AgreementFact(id: id(number), name: "Name", proof: [number]), of: purpose,
            with: other.me.person)
    }

    private func end(
        _ purpose: AgreementPurpose, _ number: UInt8, _ one: TestHost, with other: TestHost,
        isCancel: Bool = false, isKnown: Bool = false
    ) async throws {
        try await one.plugin(CoreFeatures.self)?.endAgreement(
            id(number), of: purpose, with: other.me.person, isCancel: isCancel, isKnown: isKnown)
    }

    private func agreements(
        _ purpose: AgreementPurpose, _ host: TestHost
    ) async throws -> [StoredAgreement] {
        try await host.plugin(CoreFeatures.self)?.agreements(of: purpose) ?? []
    }

    private func endings(_ purpose: AgreementPurpose, _ host: TestHost) async throws -> Int {
        try await host.rows("SELECT 1 FROM neighbours_\(purpose.rawValue)_ending").count
    }

    private func shares(_ one: TestHost, with other: TestHost) async throws -> [SpaceDescriptor] {
        try await one.spaces(sharedWith: other.me.person)
    }

    @Test(arguments: AgreementPurpose.allCases)
    func `an agreement stands once both facts name it, and shares the pair and no card`(
        _ purpose: AgreementPurpose
    ) async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await people(network)
            try await store(purpose, 1, ann, with: ben)
            try await network.settle()
            #expect(try await agreements(purpose, ann).map(\.stands) == [false])
            #expect(try await agreements(purpose, ben).isEmpty)
            // Another id is another agreement.
            try await store(purpose, 2, ben, with: ann)
            try await network.settle()
            #expect(try await agreements(purpose, ann).map(\.stands) == [false])
            try await store(purpose, 1, ben, with: ann)
            try await network.settle()
            for (one, other) in [(ann, ben), (ben, ann)] {
                let standing = try await agreements(purpose, one).filter(\.stands)
                #expect(standing.map(\.id) == [id(1)])
                #expect(standing.first?.theirs?.name == "Name")
                #expect(standing.first?.theirs?.proof == [1])
                let pair = SpaceDescriptor.between(one.me.person, other.me.person)
                #expect(try await shares(one, with: other) == [pair])
                let shown = try await one.rows(
                    "SELECT purpose, person FROM host_agreement WHERE stands")
                #expect(shown.map { $0.text("purpose") } == [purpose.rawValue])
                #expect(shown.compactMap { $0.person("person") } == [other.me.person])
                #expect(try await one.call(MateCommands.list).mates.isEmpty)
            }
        }
    }

    @Test(arguments: AgreementPurpose.allCases)
    func `an end is shared until the other side has it, and then nothing is`(
        _ purpose: AgreementPurpose
    ) async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await people(network)
            for (one, other) in [(ann, ben), (ben, ann)] {
                try await store(purpose, 1, one, with: other)
            }
            try await network.settle()
            try await network.setLink(ann, ben, isUp: false)
            try await end(purpose, 1, ann, with: ben, isCancel: true)
            #expect(try await agreements(purpose, ann).first?.isUntold == true)
            #expect(try await agreements(purpose, ann).first?.cancelled != nil)
            #expect(try await !shares(ann, with: ben).isEmpty)
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await agreements(purpose, ben).map(\.isOver) == [true])
            #expect(try await agreements(purpose, ben).first?.cancelled == nil)
            for (one, other) in [(ann, ben), (ben, ann)] {
                #expect(try await shares(one, with: other).isEmpty)
                #expect(try await agreements(purpose, one).first?.isUntold == false)
            }
        }
    }

    @Test(arguments: AgreementPurpose.allCases)
    func `an end of which the other side knows shares nothing, and a second end adds nothing`(
        _ purpose: AgreementPurpose
    ) async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await people(network)
            try await store(purpose, 1, ann, with: ben)
            try await end(purpose, 1, ann, with: ben)
            #expect(try await !shares(ann, with: ben).isEmpty)
            try await end(purpose, 1, ann, with: ben)
            #expect(try await endings(purpose, ann) == 1)
            try await end(purpose, 1, ann, with: ben, isKnown: true)
            #expect(try await shares(ann, with: ben).isEmpty)
            try await end(purpose, 1, ann, with: ben, isKnown: true)
            #expect(try await endings(purpose, ann) == 2)
            // The end of an agreement that was never stored writes nothing.
            try await end(purpose, 9, ann, with: ben)
            #expect(try await endings(purpose, ann) == 2)
        }
    }

    @Test(arguments: AgreementPurpose.allCases)
    func `two agreements one after the other have a record each, and the later one counts`(
        _ purpose: AgreementPurpose
    ) async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await people(network)
            for number: UInt8 in [1, 2] {
                for (one, other) in [(ann, ben), (ben, ann)] {
                    try await store(purpose, number, one, with: other)
                }
                try await network.settle()
                #expect(
                    try await agreements(purpose, ann).filter(\.stands).map(\.id) == [id(number)])
                try await end(purpose, number, ben, with: ann)
                try await network.settle()
            }
            #expect(try await agreements(purpose, ann).count == 2)
            #expect(try await agreements(purpose, ann).filter(\.stands).isEmpty)
        }
    }

    @Test(arguments: AgreementPurpose.allCases)
    func `no agreement is stored with myself or with a person I blocked`(
        _ purpose: AgreementPurpose
    ) async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await people(network)
            await #expect(throws: CommandFault.self) { try await store(purpose, 1, ann, with: ann) }
            try await ann.call(
                MateCommands.block,
                .init(person: NameOrKey(Key(ben.me.person)), reason: .other))
            await #expect(throws: CommandFault.self) { try await store(purpose, 1, ann, with: ben) }
            #expect(try await agreements(purpose, ann).isEmpty)
        }
    }

    @Test func `purposes are apart: the end of a match leaves a correspondence of the same id`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await people(network)
            for purpose in AgreementPurpose.allCases {
                try await store(purpose, 1, ann, with: ben)
                try await store(purpose, 1, ben, with: ann)
            }
            try await network.settle()
            try await end(.match, 1, ben, with: ann)
            try await network.settle()
            #expect(try await agreements(.match, ann).filter(\.stands).isEmpty)
            #expect(try await agreements(.correspondence, ann).map(\.stands) == [true])
            let pair = SpaceDescriptor.between(ann.me.person, ben.me.person)
            #expect(try await shares(ann, with: ben) == [pair])
            try await end(.correspondence, 1, ann, with: ben)
            try await network.settle()
            #expect(try await shares(ann, with: ben).isEmpty)
            #expect(try await shares(ben, with: ann).isEmpty)
        }
    }
}
