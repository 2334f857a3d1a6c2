import Features
import InterestsAPI
import PluginHost
import PluginKit
import Records
import TestSupport
import Testing

@testable import Interests

/// Announcements that no person can have chosen, and very many of them.
@Suite struct HostileInterestsTests {
    private let mine: [Interest] = [.coffee, .tea, .walks, .cats, .films, .travel]

    private func looking(_ network: TestNetwork) async throws -> TestHost {
        let host = try await network.host(seed: 1, [CoreFeatures.self, Interests.self])
        try await host.call(InterestsCommands.choose, .init(interest: ChosenInterests(mine)))
        try await host.call(InterestsCommands.look)
        try await network.settle()
        return host
    }

    private func device(_ number: Int, _ bytes: [UInt8]) throws -> NearbyDevice {
        var fields = AnnouncedFields()
        fields.insert("in", bytes)
        let digits = String(number, radix: 16)
        let tag = String(repeating: "0", count: 16 - digits.utf8.count) + digits
        return NearbyDevice(
            device: nil, person: nil, tag: try AnnouncedTag(tag), fields: fields, since: .min)
    }

    @Test func `other lengths, four, eleven or all interests are nobody who looks`() async throws {
        try await TestNetwork.with { network in
            let host = try await looking(network)
            let bytes = try #require(InterestSet(mine)).bytes
            var eleven = [UInt8](repeating: 0, count: 11)
            for interest in mine + [.vr, .gym, .boxing, .stocks, .hockey] {
                eleven[interest.index / 8] |= 1 << UInt8(interest.index % 8)
            }
            host.setNearby([
                try device(1, Array(bytes.dropLast())), try device(2, bytes + [0]),
                try device(3, [UInt8](repeating: 0xff, count: 11)), try device(4, eleven),
                try device(5, [0x0f] + [UInt8](repeating: 0, count: 10)),
                try device(6, [0]), try device(7, [UInt8](repeating: 0xff, count: 96)),
            ])
            try await network.settle()
            let status = try await host.call(InterestsCommands.show)
            #expect(status.lookingCount == 0 && status.match == nil)
        }
    }

    @Test func `10 000 announcers cost one query, and the best of the compared is the match`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await looking(network)
            let three = try #require(InterestSet([.coffee, .tea, .walks, .vr, .gym])).bytes
            let five = try #require(InterestSet(Array(mine.prefix(5)))).bytes
            host.setNearby(try (1...10_000).map { try device($0, $0 == 900 ? five : three) })
            _ = host.resetReadsCount()
            try await network.settle()
            // One of the plugin, for blocked people; the core's list is made when it is asked for.
            #expect(host.resetReadsCount() == 1)
            let status = try await host.call(InterestsCommands.show)
            #expect(status.lookingCount == 1024)
            #expect(status.match?.common.count == 5)
        }
    }

    @Test func `announcers that flicker change the match and write nothing`() async throws {
        try await TestNetwork.with { network in
            let host = try await looking(network)
            let bytes = try #require(InterestSet(mine)).bytes
            let before = try await host.rows("SELECT COUNT(*) AS count FROM waggle_batch")
            for number in 1...200 {
                host.setNearby(number % 2 == 0 ? [] : [try device(number, bytes)])
                try await network.settle()
            }
            let after = try await host.rows("SELECT COUNT(*) AS count FROM waggle_batch")
            #expect(before == after)
            #expect(try await host.call(InterestsCommands.show).match == nil)
        }
    }
}
