import FeaturesAPI
import Features
import PluginKit
import Records
import TestSupport
import Testing

/// The commands of measured distances, on devices whose distances the test measures.
@Suite struct RangingCommandTests {
    @Test func `a page that repeats its question keeps the provider measuring, and nobody else`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            #expect(try await ann.call(RangingCommands.show).state == .off)
            try await ann.call(
                RangingCommands.source, .init(source: .recorded, file: FilePath("/recording")))
            #expect(ann.drainEvents().contains("ranging"))
            #expect(ann.asksForMeasurements.isEmpty)
            try await ann.call(RangingCommands.measure)
            try await network.pass(seconds: 1)
            #expect(ann.asksForMeasurements == ["neighbours"])
            try await ann.call(RangingCommands.measure)
            try await network.pass(seconds: 1)
            #expect(ann.asksForMeasurements == ["neighbours"])
            try await network.pass(seconds: 1)
            #expect(ann.asksForMeasurements.isEmpty)
        }
    }

    @Test func `measured ways are listed, the nearest first, each with what is known of it`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let ben = try await network.person(seed: 2, "Ben")
            let cem = try await network.person(seed: 3, "Cem")
            for other in [ben, cem] { try await network.setLink(ann, other, isUp: true) }
            try ann.range(
                RangeReport(
                    device: ben.me.device, distanceMetres: 0.12, direction: [-1, 0, 0],
                    uncertaintyMetres: 0.02, ageSeconds: 1))
            try ann.range(RangeReport(device: cem.me.device, direction: [0, 0, 1]))
            try await network.pass(seconds: 2)
            let ways = try await ann.call(RangingCommands.show).measurements
            #expect(ways.map(\.device) == [Key(ben.me.device), Key(cem.me.device)])
            #expect(ways[0].distanceMetres == 0.12 && ways[0].uncertaintyMetres == 0.02)
            #expect(ways[0].turnDegrees == -90 && ways[0].ageSeconds == 3)
            #expect(ways[1].distanceMetres == nil && ways[1].turnDegrees == 0)
            let list = try await ann.call(NearbyCommands.list).people
            let listed = try #require(list.first { $0.device == Key(ben.me.device) })
            #expect(listed.distanceMetres == 0.12 && listed.turnDegrees == -90)
            #expect(listed.ageSeconds == 3)
            try await network.pass(seconds: 9)
            let later = try await ann.call(NearbyCommands.list).people
            #expect(later.allSatisfy { $0.ageSeconds == nil && $0.distanceMetres == nil })
        }
    }

    @Test(arguments: [
        ChooseRangingSource.Source.off, .device, .recorded, .simulated,
    ]) func `a file belongs to a recording and to positions`(
        _ source: ChooseRangingSource.Source
    ) async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let needsFile = [.recorded, .simulated].contains(source)
            let file = try FilePath("/recording")
            await #expect(throws: CommandFault.self) {
                try await ann.call(
                    RangingCommands.source, .init(source: source, file: needsFile ? nil : file))
            }
            let status = try await ann.call(
                RangingCommands.source, .init(source: source, file: needsFile ? file : nil))
            #expect(status.source.rawValue == source.rawValue)
            #expect(status.isAvailable == (source != .off))
        }
    }
}
