import Features
import FeaturesAPI
import MatchingAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Matching

/// People who look for company, on hosts that are all linked.
struct Study {
    let network: TestNetwork
    let hosts: [TestHost]

    static let plugins: [any Plugin.Type] = [CoreFeatures.self, Matching.self]
    static let names = ["Anna", "Ben", "Cleo"]

    /// Creates linked hosts; each has a name, wishes and looks.
    static func gather(
        _ network: TestNetwork, wishes: [String], areLooking: Bool = true,
        plugins: [any Plugin.Type] = Study.plugins
    ) async throws -> Study {
        var hosts: [TestHost] = []
        for (index, typed) in wishes.enumerated() {
            let host = try await network.host(seed: UInt64(index + 1), plugins)
            try await host.call(ProfileCommands.edit, .init(nickname: Nickname(names[index])))
            try await host.call(MatchingCommands.wishes, .init(wish: WishList(typed: typed)))
            hosts.append(host)
        }
        for index in hosts.indices {
            for other in hosts.indices where other > index {
                try await network.setLink(hosts[index], hosts[other], isUp: true)
            }
        }
        let study = Study(network: network, hosts: hosts)
        if areLooking { try await study.look() }
        return study
    }

    /// Lets everyone look until all have the cards of the others.
    func look() async throws {
        for host in hosts { try await host.call(MatchingCommands.look) }
        try await network.pass(seconds: 6)
    }

    func status(_ index: Int) async throws -> MatchingStatus {
        try await hosts[index].call(MatchingCommands.status)
    }

    func name(_ index: Int) -> NameMatchingPerson {
        NameMatchingPerson(person: NameOrKey(Key(hosts[index].me.person)))
    }

    /// One asks, the other accepts, and both see the match.
    func match(_ one: Int, _ other: Int) async throws {
        try await hosts[one].call(MatchingCommands.request, name(other))
        try await network.settle()
        try await hosts[other].call(MatchingCommands.accept, name(one))
        try await network.settle()
        #expect(try await status(one).state == .matched)
        #expect(try await status(other).state == .matched)
    }

    /// Whether a host shares the space of two people with another.
    func sharesPair(_ one: Int, _ other: Int) async throws -> Bool {
        let (mine, theirs) = (hosts[one].me.person, hosts[other].me.person)
        return try await hosts[one].spaces(sharedWith: theirs).contains(.between(mine, theirs))
    }
}
