import Features
import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing
import WalkLogAPI

@testable import WalkLog

@Suite struct SharingTests {
    /// Records a walk of 1 067 m with Ann's device.
    private func walk(_ ann: TestHost, _ network: TestNetwork) async throws -> RecordedWalk {
        try await ann.call(WalkLogCommands.start, .init())
        for step in 0...12 {
            ann.locate(
                Fix(point: try Point(latitude: 37.5 + Double(step) * 8e-4, longitude: 127)))
            try await network.settle()
            try await network.skip(seconds: 60)
        }
        return try await ann.call(WalkLogCommands.finish)
    }

    @Test func `a mate sees a shared walk without its ends, and nothing after it is taken back`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.walkers()
            let walk = try await walk(ann, network)
            let share = try await ann.call(
                WalkLogCommands.share, .init(id: RecordPrefix(walk.id), with: NameOrKey("Ben")))
            #expect(share.mine && share.walk == walk.id)
            try await network.settle()
            let seen = try #require(try await ben.call(WalkLogCommands.shared).walks.first)
            #expect(seen.mate.name?.string == "Ann" && !seen.mine)
            #expect(seen.distanceMetres == walk.measures.distanceMetres)
            let way = try await ben.call(WalkLogCommands.way, .init(id: RecordPrefix(seen.id)))
            // 267 m to 801 m are shown: a straight line has two points.
            #expect(way.points.count == 2 && way.points.first?.begins == true)
            #expect(way.points.first?.latitude == 37.5024)
            #expect(try await ben.call(InboxCommands.list, .init()).items.count == 1)
            #expect(ben.drainNotices().count == 1)
            await #expect(throws: CommandFault.self) {
                try await ben.call(WalkLogCommands.unshare, .init(id: RecordPrefix(seen.id)))
            }
            try await ann.call(WalkLogCommands.unshare, .init(id: RecordPrefix(share.id)))
            try await network.settle()
            #expect(try await ben.call(WalkLogCommands.shared).walks.isEmpty)
            let items = try await ben.call(InboxCommands.list, .init()).items
            #expect(items.allSatisfy(\.handled) && items.count == 1)
            #expect(try await ben.rows("SELECT * FROM walklog_shared").isEmpty)
        }
    }

    @Test func `a walk is shared with a mate once, and its whole way if that is asked`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.walkers()
            let walk = try await walk(ann, network)
            let request = try ShareWalk(
                id: RecordPrefix(walk.id), with: NameOrKey("Ben"), whole: true)
            let share = try await ann.call(WalkLogCommands.share, request)
            #expect(share.pointsCount == 2)
            await #expect(throws: CommandFault.self) {
                try await ann.call(WalkLogCommands.share, request)
            }
            try await network.settle()
            let way = try await ben.call(WalkLogCommands.way, .init(id: RecordPrefix(share.id)))
            #expect(way.points.first?.latitude == 37.5)
            await #expect(throws: CommandFault.self) {
                try await ann.call(
                    WalkLogCommands.share,
                    .init(id: RecordPrefix(walk.id), with: NameOrKey(PersonID(raw: .zero))))
            }
        }
    }

    @Test func `a shared walk that a changed program wrote harms nothing`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.walkers()
            let space = SpaceDescriptor.between(ann.me.person, ben.me.person)
            for (number, way) in [[], [9], [UInt8](repeating: 255, count: 24 * 1024)].enumerated() {
                try await ben.write(
                    [
                        .create(
                            collection: "walk-log.shared/1", nonce: .numbered(UInt8(number)),
                            fields: [
                                "started_ms": .integer(5), "distance_m": .real(-1),
                                "way": .bytes(way),
                            ])
                    ], in: space)
            }
            try await network.settle()
            let walks = try await ann.call(WalkLogCommands.shared).walks
            #expect(walks.count == 3 && walks.allSatisfy { $0.distanceMetres == 0 })
            for walk in walks {
                await #expect(throws: CommandFault.self) {
                    try await ann.call(WalkLogCommands.way, .init(id: RecordPrefix(walk.id)))
                }
            }
        }
    }
}
