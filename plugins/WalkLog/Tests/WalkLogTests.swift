import Features
import FeaturesAPI
import Foundation
import PluginKit
import Records
import TestSupport
import Testing
import WalkLogAPI

@testable import WalkLog

@Suite struct WalkLogTests {
    private func host(_ network: TestNetwork, seed: UInt64 = 1) async throws -> TestHost {
        try await network.host(seed: seed, [CoreFeatures.self, WalkLog.self])
    }

    /// Walks north at 1.5 m/s, with a fix every four seconds.
    private func walk(
        _ host: TestHost, _ network: TestNetwork, seconds: Int, from: Double = 37.5
    ) async throws {
        for second in stride(from: 0, to: seconds, by: 4) {
            let point = try Point(latitude: from + Double(second) * 1.35e-5, longitude: 127)
            host.locate(Fix(point: point, accuracyMetres: 5))
            try await network.settle()
            try await network.pass(seconds: 4)
        }
    }

    @Test func `a walk is recorded, paused and kept, and its track is its content`() async throws {
        try await TestNetwork.with { network in
            let host = try await host(network)
            try await host.call(WalkLogCommands.start, .init(dog: [DogName("Haru")]))
            try await walk(host, network, seconds: 60)
            let paused = try await host.call(WalkLogCommands.pause)
            #expect(paused.state == .paused && paused.walk?.measures.elapsedSeconds == 60)
            try await network.pass(seconds: 100)
            try await host.call(WalkLogCommands.resume)
            try await walk(host, network, seconds: 40, from: 37.6)
            let kept = try await host.call(WalkLogCommands.finish)
            #expect(kept.measures.elapsedSeconds == 100 && kept.measures.pointsCount == 25)
            // 14 and 9 steps of 6.005 m; the way during the pause is not counted.
            #expect((138.0...138.3).contains(kept.measures.distanceMetres.value))
            #expect(kept.company.dogs == [DogName.Shown(clipping: "Haru")])
            let track = try await host.call(
                WalkLogCommands.track, .init(id: RecordPrefix(kept.id)))
            #expect(track.points.count == 25 && track.points.filter(\.begins).count == 2)
            #expect(try await host.call(WalkLogCommands.list, .init()).walks == [kept])
            #expect(try await host.call(WalkLogCommands.status).state == .idle)
        }
    }

    @Test
    func `a node that is killed asks whether the walk goes on, and lost five seconds at most`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await host(network)
            try await host.call(WalkLogCommands.start, .init())
            try await walk(host, network, seconds: 63)
            await host.start()
            let status = try await host.call(WalkLogCommands.status)
            #expect(status.state == .interrupted)
            #expect((15...16).contains(status.walk?.measures.pointsCount.value ?? 0))
            #expect((59...64).contains(status.walk?.measures.elapsedSeconds.value ?? 0))
            #expect(host.drainNotices().map { $0.actions.count } == [2])
            #expect(try await host.call(InboxCommands.list, .init()).items.count == 1)
            try await host.call(WalkLogCommands.resume)
            #expect(try await host.call(InboxCommands.list, .init()).items.isEmpty)
            try await walk(host, network, seconds: 20)
            #expect(try await host.call(WalkLogCommands.finish).measures.pointsCount.value >= 20)
            await host.start()
            #expect(try await host.call(WalkLogCommands.status).state == .idle)
        }
    }

    @Test func `a journal that cannot be read is left alone, named, and read once it can be`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await host(network)
            try await host.call(WalkLogCommands.start, .init())
            try await walk(host, network, seconds: 20)
            let path = host.directory + "/journal-walklog"
            let journal = try Data(contentsOf: URL(filePath: path))
            let foreign = Data("another program's file".utf8)
            try foreign.write(to: URL(filePath: path))
            await host.start()
            let status = try await host.call(WalkLogCommands.status)
            #expect(status.state == .idle)
            #expect(status.trouble?.sentence.english.contains("is not a journal of Waggle") == true)
            await #expect(throws: CommandFault.self) {
                try await host.call(WalkLogCommands.start, .init())
            }
            await #expect(throws: CommandFault.self) {
                try await host.call(WalkLogCommands.discard)
            }
            #expect(try Data(contentsOf: URL(filePath: path)) == foreign)
            try journal.write(to: URL(filePath: path))
            #expect(try await host.call(WalkLogCommands.status).state == .interrupted)
        }
    }

    @Test func `a device that waits for its person's data begins no walk and resumes none`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await host(network)
            host.setUnsettled("It waits.")
            await #expect(throws: CommandFault.refused("It waits.")) {
                try await host.call(WalkLogCommands.start, .init())
            }
            #expect(try await host.call(WalkLogCommands.status).state == .idle)
            host.setUnsettled(nil)
            try await host.call(WalkLogCommands.start, .init())
            try await walk(host, network, seconds: 8)
            await host.start()
            host.setUnsettled("It waits.")
            await #expect(throws: CommandFault.refused("It waits.")) {
                try await host.call(WalkLogCommands.resume)
            }
            #expect(try await host.call(WalkLogCommands.status).state == .interrupted)
            host.setUnsettled(nil)
            #expect(try await host.call(WalkLogCommands.resume).state == .recording)
        }
    }

    @Test func `a discarded walk leaves nothing`() async throws {
        try await TestNetwork.with { network in
            let host = try await host(network)
            try await host.call(WalkLogCommands.start, .init())
            try await walk(host, network, seconds: 20)
            try await host.call(WalkLogCommands.discard)
            await host.start()
            #expect(try await host.call(WalkLogCommands.status).state == .idle)
            #expect(try await host.call(WalkLogCommands.list, .init()).walks.isEmpty)
            await #expect(throws: CommandFault.self) {
                try await host.call(WalkLogCommands.discard)
            }
        }
    }

    @Test func `a walk ends by itself after 6 hours and is kept`() async throws {
        try await TestNetwork.with { network in
            let host = try await host(network)
            try await host.call(WalkLogCommands.start, .init())
            try await walk(host, network, seconds: 8)
            try await network.skip(seconds: 6 * 60 * 60 - 9)
            #expect(try await host.call(WalkLogCommands.status).state == .recording)
            try await network.pass(seconds: 1)
            #expect(try await host.call(WalkLogCommands.status).state == .idle)
            let kept = try await host.call(WalkLogCommands.list, .init()).walks
            #expect(kept.map(\.measures.elapsedSeconds.value) == [6 * 60 * 60])
            #expect(host.drainNotices().count == 1)
        }
    }

    @Test func `one walk at a time, and commands without one say so`() async throws {
        try await TestNetwork.with { network in
            let host = try await host(network)
            for command in [WalkLogCommands.pause, WalkLogCommands.resume] {
                await #expect(throws: CommandFault.self) { try await host.call(command) }
            }
            await #expect(throws: CommandFault.self) { try await host.call(WalkLogCommands.finish) }
            try await host.call(WalkLogCommands.start, .init())
            await #expect(throws: CommandFault.self) {
                try await host.call(WalkLogCommands.start, .init())
            }
            await #expect(throws: CommandFault.self) { try await host.call(WalkLogCommands.resume) }
        }
    }

    @Test func `pages of the list go on before a walk, and a deleted walk is gone`() async throws {
        try await TestNetwork.with { network in
            let host = try await host(network)
            for _ in 0..<3 {
                try await host.call(WalkLogCommands.start, .init())
                try await network.pass(seconds: 1)
                try await host.call(WalkLogCommands.finish)
            }
            let first = try await host.call(WalkLogCommands.list, .init(count: Whole(2)))
            #expect(first.walks.count == 2 && first.more)
            let last = try await host.call(
                WalkLogCommands.list, .init(before: RecordPrefix(try #require(first.walks.last).id))
            )
            #expect(last.walks.count == 1 && !last.more)
            let id = try #require(last.walks.first).id
            try await host.call(WalkLogCommands.delete, .init(id: RecordPrefix(id)))
            #expect(try await host.call(WalkLogCommands.list, .init()).walks == first.walks)
        }
    }

    @Test func `another device of the person lists the walk and gets its track`() async throws {
        try await TestNetwork.with { network in
            let host = try await host(network)
            let other = try await network.device(
                seed: 2, of: host, [CoreFeatures.self, WalkLog.self])
            try await host.call(WalkLogCommands.start, .init())
            try await walk(host, network, seconds: 20)
            let kept = try await host.call(WalkLogCommands.finish)
            try await network.setLink(host, other, isUp: true)
            #expect(try await other.call(WalkLogCommands.list, .init()).walks == [kept])
            let request = ShowTrack(id: RecordPrefix(kept.id))
            #expect(try await other.call(WalkLogCommands.track, request).note != nil)
            try await network.settle()
            let track = try await other.call(WalkLogCommands.track, request)
            #expect(track.points.count == 5 && track.note == nil)
            // The walk that is recorded on one device is no matter of the other.
            try await host.call(WalkLogCommands.start, .init())
            try await network.settle()
            #expect(try await other.call(WalkLogCommands.status).state == .idle)
        }
    }

    @Test func `a content that is no track is told and harms nothing`() async throws {
        try await TestNetwork.with { network in
            let host = try await host(network)
            let space = SpaceDescriptor.own(host.me.person)
            let blob = try await host.put([9, 9, 9], kind: EncodedTrack.kind, in: space)
            try await host.write(
                [
                    .create(
                        collection: "walk-log.walk/1", nonce: .zero,
                        fields: [
                            "started_ms": .integer(5), "track": blob.value,
                            "distance_m": .real(-1e300),
                        ])
                ], in: space)
            let walk = try #require(try await host.call(WalkLogCommands.list, .init()).walks.first)
            #expect(walk.measures.distanceMetres == 0)
            await #expect(throws: CommandFault.self) {
                try await host.call(WalkLogCommands.track, .init(id: RecordPrefix(walk.id)))
            }
        }
    }

    @Test func `the weight of the walker decides the energy, and 20 to 300 kg are weights`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await host(network)
            #expect(try await host.call(WalkLogCommands.status).kilograms == 70)
            let light = try await host.call(
                WalkLogCommands.weigh, .init(kilograms: WalkerKilograms(35)))
            #expect(light.kilograms == 35)
            try await host.call(WalkLogCommands.start, .init())
            try await network.skip(seconds: 3600)
            // 2.8 × 35 kg × 1 h
            #expect(try await host.call(WalkLogCommands.finish).measures.kilocalories == 98)
            #expect(throws: CommandFault.self) { try WalkerKilograms(19) }
            #expect(throws: CommandFault.self) { try WalkerKilograms(301) }
        }
    }
}
