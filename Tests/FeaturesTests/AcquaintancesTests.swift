import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

/// The cards received at meetings, while another device of the person changes them.
@Suite struct AcquaintancesTests {
    /// A replica that another device's erase reaches after each reading.
    private struct Erased: ReplicaAccess {
        let replica: any ReplicaAccess
        let me: PersonID

        func requireWritable() async throws { try await replica.requireWritable() }
        func open(_ space: SpaceDescriptor) async throws { try await replica.open(space) }

        func author(_ edits: [Edit], in space: SpaceDescriptor) async throws -> [EntityID] {
            try await replica.author(edits, in: space)
        }

        func rows(_ sql: String, _ arguments: [Value]) async throws -> [Row] {
            let rows = try await replica.rows(sql, arguments)
            for entity in rows.compactMap({ $0.entity("entity") }) {
                try await replica.author(
                    [.erase(collection: Mates.acquaintance.name, entity: entity)], in: .own(me))
            }
            return rows
        }
    }

    private func erased(_ context: PluginContext) -> PluginContext {
        PluginContext(
            me: context.me, device: context.device, formerDevices: context.formerDevices,
            replica: Erased(replica: context.replica, me: context.me), blobs: context.blobs,
            photos: context.photos, files: context.files, topics: context.topics,
            events: context.events, core: context.core, nearby: context.nearby,
            groups: context.groups, neighbourhoods: context.neighbourhoods,
            desktop: context.desktop, location: context.location,
            journal: context.journal, ranging: context.ranging, statements: context.statements,
            clock: context.clock, random: context.random, logger: context.logger)
    }

    @Test func `a card that another device erases at the same time is forgotten, or kept anew`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let context = try #require(ann.plugin(CoreFeatures.self)).context
            let kept = Acquaintances(context: context)
            let racing = Acquaintances(context: erased(context))
            let ben = PersonID(raw: .zero)
            try await kept.keep(Profile([.nickname: .text("Ben")]), of: ben)
            try await racing.forget(ben)
            #expect(try await kept.cards().isEmpty)
            try await kept.keep(Profile([.nickname: .text("Ben")]), of: ben)
            try await racing.keep(Profile([.nickname: .text("Benny")]), of: ben)
            #expect(try await kept.cards()[ben]?.nickname == "Benny")
        }
    }
}
