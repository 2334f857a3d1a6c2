import FeaturesAPI
import PluginKit
import PromisesAPI
import Records
import TestSupport
import Testing

@testable import Promises

/// A promise that was moved: whether a participant is shown before they confirmed the new time.
@Suite struct ConfirmingTests {
    /// Ann and Ben with a promise that Ben accepted, and Ben on the way already.
    private static func friends(
        on network: TestNetwork, inSeconds seconds: Int64
    ) async throws -> (Friends, Key) {
        let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
        let id = try await friends.promise(inSeconds: seconds)
        try friends.ben.locate(metresNorth: 1000)
        try await network.settle()
        return (friends, id)
    }

    private static func move(
        _ id: Key, of friends: Friends, inSeconds seconds: Int64
    ) async throws {
        try await friends.ann.call(
            PromiseCommands.edit,
            .init(promise: NameOrKey(id), atMs: friends.ann.time(in: .seconds(seconds))))
        try await friends.network.settle()
    }

    private static func isShown(_ friends: Friends, _ id: Key) async throws -> Bool {
        try friends.ben.locate(metresNorth: Double.random(in: 800...1000))
        try await friends.network.pass(seconds: 6)
        return try await friends.ann.person(friends.ben, in: id)?.location != nil
    }

    /// Returns the number of batches that a host wrote in the group of a promise.
    private static func batchCount(of host: TestHost, in id: Key) async throws -> Int {
        try await host.rows(
            """
            SELECT 1 FROM waggle_batch b JOIN waggle_log l ON l.log = b.batch >> 40
            JOIN waggle_space s ON s.space = l.space WHERE l.device = ? AND s.id = ?
            """,
            [
                .bytes(host.me.device.bytes),
                .bytes(try await host.space(of: id).id.bytes),
            ]
        ).count
    }

    @Test(arguments: [5 * 3600, 40 * 60] as [Int64])
    func `a promise moved again and again to now shows nothing`(_ seconds: Int64) async throws {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network, inSeconds: seconds)
            for number in 0..<4 {
                try await Self.move(id, of: friends, inSeconds: 1800 + Int64(number % 2) * 7200)
                try await Self.move(id, of: friends, inSeconds: 1800)
                #expect(try await friends.ben.sharing(id) == .unconfirmed)
                #expect(try await !Self.isShown(friends, id))
                #expect(try await friends.ann.person(friends.ben, in: id)?.departedMs == nil)
                try await network.pass(seconds: 60)
            }
            #expect(await network.sentCount("promise", to: friends.ann) == 0)
            #expect(try await friends.ann.person(friends.ben, in: id)?.hasConfirmed == false)
        }
    }

    @Test func `a moved promise asks, and shows the person once they confirmed`() async throws {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network, inSeconds: 7200)
            #expect(try await friends.ann.person(friends.ben, in: id)?.hasConfirmed == true)
            try await Self.move(id, of: friends, inSeconds: 1800)
            let now = friends.ben.time()
            let time = MomentText.text(now + .seconds(1800), now: now)
            let items = try await friends.ben.call(InboxCommands.list).items
            let item = try #require(items.first { $0.title == "Ann moved Dinner to \(time)" })
            #expect(item.actions == ["confirm", "leave"] && item.ref == id.string)
            #expect(item.body.string.contains("Show your location from now on?"))
            #expect(try await !friends.ben.news().contains("Ann changed Dinner"))
            #expect(try await !Self.isShown(friends, id))
            try await friends.ben.call(
                PromiseCommands.confirm,
                .init(
                    promise: NameOrKey(id), atMs: try await friends.ben.show(id).summary.atMs))
            #expect(try await friends.ben.sharing(id) == .sharing)
            #expect(try await Self.isShown(friends, id))
            #expect(try await friends.ann.person(friends.ben, in: id)?.hasConfirmed == true)
            #expect(try await !friends.ben.news().contains { $0.hasPrefix("Ann moved") })
            await #expect(
                throws: CommandFault.conflict("You have agreed to this time already.")
            ) { try await friends.ben.call(PromiseCommands.confirm, .init(id)) }
        }
    }

    @Test func `a person agrees only to the time that they were shown`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 7200, accepting: false)
            let shown = try await friends.ben.show(id).summary.atMs
            try await Self.move(id, of: friends, inSeconds: 3600)
            let stale = AgreeToPromise(promise: NameOrKey(id), atMs: shown)
            for verb in [PromiseCommands.accept, PromiseCommands.confirm] {
                await #expect {
                    try await friends.ben.call(verb, stale)
                } throws: { ($0 as? CommandFault)?.sentence.contains("check it again") == true }
            }
            #expect(try await friends.ben.show(id).summary.state == .invited)
        }
    }

    @Test func `a later time within the agreed hours asks nothing, and a much later one does`()
        async throws
    {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network, inSeconds: 1800)
            #expect(try await Self.isShown(friends, id))
            // While Ben is shown, the promise is put off a little: he still is.
            try await Self.move(id, of: friends, inSeconds: 1800)
            #expect(try await friends.ben.sharing(id) == .sharing)
            #expect(try await friends.ben.news().contains("Ann changed Dinner"))
            try await Self.move(id, of: friends, inSeconds: 7200)
            #expect(try await friends.ben.sharing(id) == .idle)
            try await Self.move(id, of: friends, inSeconds: 86_400)
            #expect(try await friends.ben.sharing(id) == .unconfirmed)
            try await network.skip(seconds: 86_400 - 900)
            #expect(try await !Self.isShown(friends, id))
        }
    }

    @Test func `the consent ends three hours after the time that was agreed to`() async throws {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network, inSeconds: 1800)
            try await Self.move(id, of: friends, inSeconds: 3600)
            try await network.skip(seconds: 1800 + 10_800 - 10)
            #expect(try await Self.isShown(friends, id))
            try await network.pass(seconds: 6)
            #expect(try await friends.ben.sharing(id) == .unconfirmed)
            #expect(try await friends.ann.person(friends.ben, in: id)?.location == nil)
        }
    }

    @Test func `a promise moved later and then to now asks, even after a restart`() async throws {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network, inSeconds: 1900)
            try await Self.move(id, of: friends, inSeconds: 7200)
            #expect(try await friends.ben.sharing(id) == .idle)
            try await network.pass(seconds: 120)
            for _ in 0..<3 {
                try await Self.move(id, of: friends, inSeconds: 1800)
                #expect(try await friends.ben.sharing(id) == .unconfirmed)
                try await Self.move(id, of: friends, inSeconds: 7200)
            }
            try await Self.move(id, of: friends, inSeconds: 1800)
            await friends.ben.start()
            #expect(try await !Self.isShown(friends, id))
            // However often it is moved, one record tells the others that Ben is asked again.
            let count = try await Self.batchCount(of: friends.ben, in: id)
            try await Self.move(id, of: friends, inSeconds: 7200)
            try await Self.move(id, of: friends, inSeconds: 1800)
            #expect(try await Self.batchCount(of: friends.ben, in: id) == count)
            try await friends.ben.call(PromiseCommands.confirm, .init(id))
            await friends.ben.start()
            #expect(try await friends.ben.sharing(id) != .unconfirmed)
        }
    }

    @Test func `a promise moved while the device was off asks when it is on again`() async throws {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network, inSeconds: 7200)
            friends.ben.stop()
            try await Self.move(id, of: friends, inSeconds: 1800)
            await friends.ben.start()
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .unconfirmed)
            #expect(try await !Self.isShown(friends, id))
            #expect(try await friends.ben.news().contains { $0.hasPrefix("Ann moved Dinner to") })
        }
    }

    @Test func `moved back to the agreed time before it begins asks nothing any more`()
        async throws
    {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network, inSeconds: 7200)
            let agreed = try await friends.ben.show(id).summary.atMs
            try await Self.move(id, of: friends, inSeconds: 3600)
            #expect(try await friends.ben.sharing(id) == .unconfirmed)
            try await friends.ann.call(
                PromiseCommands.edit, .init(promise: NameOrKey(id), atMs: agreed))
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .idle)
            #expect(try await !friends.ben.news().contains { $0.hasPrefix("Ann moved") })
        }
    }

    @Test func `a confirmation on another device of the person counts here`() async throws {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network, inSeconds: 7200)
            try await Self.move(id, of: friends, inSeconds: 1800)
            #expect(try await !Self.isShown(friends, id))
            // All devices of a person write the same record.
            let at = try await friends.ben.show(id).summary.atMs
            try await friends.ben.write(
                [
                    .own(
                        collection: Promises.attendance.name,
                        fields: ["agreed_ms": .integer(at.milliseconds)])
                ], in: try await friends.ben.space(of: id))
            try await network.settle()
            #expect(try await Self.isShown(friends, id))
        }
    }

    @Test func `a record without an agreed time is no consent`() async throws {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network, inSeconds: 3600)
            // As an earlier version accepted it.
            try await friends.ben.write(
                [.own(collection: Promises.attendance.name, fields: ["agreed_ms": .null])],
                in: try await friends.ben.space(of: id))
            await friends.ben.start()
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .unconfirmed)
            #expect(try await friends.ben.news().contains { $0.hasPrefix("Dinner at ") })
            // Other people cannot tell, and say nothing about it.
            #expect(try await friends.ann.person(friends.ben, in: id)?.hasConfirmed == nil)
            try await friends.ben.call(PromiseCommands.share, .init(id))
            try await network.skip(seconds: 1800)
            #expect(try await Self.isShown(friends, id))
        }
    }

    @Test func `the maker agrees to a time by setting it`() async throws {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network, inSeconds: 7200)
            try friends.ann.locate(metresNorth: 700)
            try await Self.move(id, of: friends, inSeconds: 1800)
            try await network.pass(seconds: 1)
            #expect(try await friends.ann.sharing(id) == .sharing)
            #expect(try await friends.ben.person(friends.ann, in: id)?.location != nil)
            #expect(try await friends.ben.person(friends.ann, in: id)?.hasConfirmed == true)
            #expect(try await !friends.ann.news().contains { $0.hasPrefix("Ann moved") })
        }
    }

    @Test func `a confirmation also continues what a restart interrupted`() async throws {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network, inSeconds: 1800)
            #expect(try await Self.isShown(friends, id))
            await friends.ben.start()
            #expect(try await friends.ben.sharing(id) == .interrupted)
            // Earlier than agreed, as only a changed program of the maker writes it.
            try await friends.ann.write(
                [
                    .own(
                        collection: Promises.promise.name,
                        fields: [
                            "at_ms": .integer(friends.ann.time(in: .seconds(600)).milliseconds)
                        ])
                ], in: try await friends.ann.space(of: id))
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .unconfirmed)
            try friends.ben.locate(metresNorth: 600)
            try await network.settle()
            #expect(try await friends.ann.person(friends.ben, in: id)?.remaining != "600 m")
            let confirmed = try await friends.ben.call(PromiseCommands.confirm, .init(id))
            #expect(confirmed.summary.sharing == .sharing)
            try await network.settle()
            #expect(try await friends.ann.person(friends.ben, in: id)?.remaining == "600 m")
        }
    }

    @Test func `a stop is not asked about, and a promise that is called off asks nothing`()
        async throws
    {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network, inSeconds: 7200)
            try await friends.ben.call(PromiseCommands.stop, .init(id))
            try await Self.move(id, of: friends, inSeconds: 1800)
            #expect(try await friends.ben.sharing(id) == .stopped)
            #expect(try await !friends.ben.news().contains { $0.hasPrefix("Ann moved") })
            let other = try await friends.promise(inSeconds: 7200)
            try await Self.move(other, of: friends, inSeconds: 1800)
            #expect(try await friends.ben.sharing(other) == .unconfirmed)
            try await friends.ann.call(PromiseCommands.delete, .init(other))
            try await network.settle()
            #expect(try await friends.ben.news().contains("Ann called off Dinner"))
            #expect(try await !friends.ben.news().contains { $0.hasPrefix("Ann moved") })
            #expect(try await !Self.isShown(friends, other))
            await #expect(throws: CommandFault.refused("You do not take part in this promise.")) {
                try await friends.ben.call(PromiseCommands.confirm, .init(other))
            }
        }
    }
}
