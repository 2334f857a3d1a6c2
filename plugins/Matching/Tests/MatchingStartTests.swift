import PluginKit
import TestSupport
import Testing

@testable import Matching

/// The start of the plugin while something else happens.
@Suite struct MatchingStartTests {
    /// A location that is known only after something else has begun.
    private struct LateLocation: LocationAccess {
        let location: any LocationAccess
        let first: @Sendable () async -> Void

        func whereabouts() async -> Whereabouts {
            await first()
            return await location.whereabouts()
        }

        func choose(_ source: LocationChoice) async throws { try await location.choose(source) }
        func setByHand(_ fix: Fix?) async { await location.setByHand(fix) }
    }

    private func context(
        _ context: PluginContext, first: @escaping @Sendable () async -> Void
    ) -> PluginContext {
        PluginContext(
            me: context.me, device: context.device, formerDevices: context.formerDevices,
            replica: context.replica, blobs: context.blobs, photos: context.photos,
            files: context.files, topics: context.topics, events: context.events,
            core: context.core, nearby: context.nearby, groups: context.groups,
            neighbourhoods: context.neighbourhoods, desktop: context.desktop,
            location: LateLocation(location: context.location, first: first),
            journal: context.journal, ranging: context.ranging, statements: context.statements,
            clock: context.clock, random: context.random, logger: context.logger)
    }

    @Test func `the plugin starts while a change of relations makes it read the matches`()
        async throws
    {
        try await TestNetwork.with { network in
            let study = try await Study.gather(network, wishes: ["coffee"], areLooking: false)
            let plain = try #require(await study.hosts[0].plugin(Matching.self)?.context)
            for _ in 0..<20 {
                let (starting, isStarting) = AsyncStream.makeStream(of: Matching.self)
                let matching = Matching(
                    context: context(plain) {
                        for await matching in starting {
                            Task { try await matching.relationsChanged() }
                            while await !matching.hasBegunReading { await Task.yield() }
                        }
                    })
                isStarting.yield(matching)
                isStarting.finish()
                let running = Task { try await matching.run() }
                while await !matching.session.hasReadFacts { await Task.yield() }
                running.cancel()
                await #expect(throws: CancellationError.self) { try await running.value }
            }
        }
    }
}

extension Matching {
    /// Whether the matches are being read, or have been. The reading may be over before it is seen.
    fileprivate var hasBegunReading: Bool { isPerforming || session.hasReadFacts }
}
