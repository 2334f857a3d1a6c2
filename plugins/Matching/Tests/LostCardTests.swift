import MatchingAPI
import PluginKit
import TestSupport
import Testing

@testable import Matching

/// Cards that are lost while links change.
@Suite struct LostCardTests {
    @Test func `a card that was lost with a link is sent over the one that took its place`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["coffee", "tea"])
            let (anna, ben) = (study.hosts[0], study.hosts[1])
            let (annas, bens) = (
                try #require(anna.plugin(Matching.self)),
                try #require(ben.plugin(Matching.self))
            )
            await bens.forgetCard(of: anna.me)
            #expect(try await ben.call(MatchingCommands.people, .init()).people.isEmpty)
            // The link that was there is not reported as ended.
            try await annas.linkChanged(ben.me, isUp: true)
            try await network.settle()
            let people = try await ben.call(MatchingCommands.people, .init()).people
            #expect(people.map(\.person) == [Key(anna.me.person)])
        }
    }
}
