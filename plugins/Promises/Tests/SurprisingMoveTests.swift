import FeaturesAPI
import PluginKit
import PromisesAPI
import Records
import TestSupport
import Testing

@testable import Promises

/// A maker with a changed program, who tries to see where a participant is.
@Suite struct SurprisingMoveTests {
    /// Writes fields of Ann's promise, as a changed program could.
    private static func write(
        _ fields: [String: Value], in group: SpaceDescriptor, by friends: Friends
    ) async throws {
        try await friends.ann.write(
            [.own(collection: Promises.promise.name, fields: fields)], in: group)
        try await friends.network.settle()
    }

    private static func move(
        to seconds: Int, in group: SpaceDescriptor, by friends: Friends
    ) async throws {
        let at = friends.ann.time(in: .seconds(Int64(seconds))).milliseconds
        try await write(["at_ms": .integer(at)], in: group, by: friends)
    }

    /// Ann and Ben with a promise that Ben accepted and that begins in ten minutes; Ben is on his
    /// way to it already.
    private static func friends(on network: TestNetwork) async throws -> (Friends, Key) {
        let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
        let id = try await friends.promise(inSeconds: 2400)
        try friends.ben.locate(metresNorth: 1000)
        try await network.settle()
        return (friends, id)
    }

    /// Removes Ben from the group, or grants him a role in it again.
    private static func toggleMembership(
        in group: SpaceDescriptor, of friends: Friends
    ) async throws {
        let ben = friends.ben.me.person
        let member = await friends.ann.members(of: group).first { $0.person == ben }
        guard member?.state == .member else {
            return try await friends.ann.grant(ben, in: group)
        }
        let ann = try #require(friends.ann.plugin(Promises.self))
        try await ann.context.groups.remove(ben, from: group)
    }

    /// Whether Ben sends his location.
    private static func isShown(_ friends: Friends, _ id: Key) async -> Bool {
        await friends.ben.plugin(Promises.self)?.isShowing(id) ?? false
    }

    @Test func `a promise moved through the past to now asks, also after a restart`()
        async throws
    {
        for isRestarted in [false, true] {
            try await TestNetwork.with { network in
                let (friends, id) = try await Self.friends(on: network)
                let group = try await friends.ann.space(of: id)
                try await network.skip(seconds: 3000)
                try friends.ben.locate(metresNorth: 900)
                try await network.settle()
                #expect(await Self.isShown(friends, id))
                try await Self.move(to: 6600, in: group, by: friends)
                #expect(await !Self.isShown(friends, id))
                try await Self.move(to: -18_600, in: group, by: friends)
                if isRestarted { await friends.ben.start() }
                try await Self.move(to: 1800, in: group, by: friends)
                #expect(try await friends.ben.sharing(id) == .unconfirmed)
                #expect(await !Self.isShown(friends, id))
            }
        }
    }

    @Test func `a promise that is invalid for a moment does not come back as a surprise`()
        async throws
    {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network)
            let group = try await friends.ann.space(of: id)
            try await network.skip(seconds: 3000)
            try await Self.move(to: 6600, in: group, by: friends)
            try await Self.write(["title": .null], in: group, by: friends)
            await friends.ben.start()
            let at = friends.ann.time(in: .seconds(1800)).milliseconds
            try await Self.write(
                ["title": .text("Dinner"), "at_ms": .integer(at)], in: group, by: friends)
            #expect(try await friends.ben.sharing(id) == .unconfirmed)
        }
    }

    @Test func `a person who is removed for a moment does not come back as a surprise`()
        async throws
    {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network)
            let group = try await friends.ann.space(of: id)
            let ann = try #require(friends.ann.plugin(Promises.self))
            try await network.skip(seconds: 3000)
            try await ann.context.groups.remove(friends.ben.me.person, from: group)
            try await network.settle()
            #expect(await !Self.isShown(friends, id))
            try await Self.move(to: 1800, in: group, by: friends)
            // A person who is granted a role again need not accept again.
            try await friends.ann.grant(friends.ben.me.person, in: group)
            try await network.settle()
            #expect(try await friends.ben.show(id).summary.state == .member)
            #expect(try await friends.ben.sharing(id) == .unconfirmed)
        }
    }

    @Test func `a person who left and accepts again is not asked`() async throws {
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network)
            try await network.skip(seconds: 900)
            try await friends.ben.call(PromiseCommands.leave, .init(id))
            try await network.settle()
            try await friends.ann.call(
                PromiseCommands.invite,
                .init(promise: NameOrKey(id), with: [friends.ben.prefix]))
            try await network.settle()
            try await friends.ben.call(PromiseCommands.accept, .init(id))
            try friends.ben.locate(metresNorth: 900)
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .sharing)
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `no act of the maker shows a person who was not shown just before`(_ seed: UInt64)
        async throws
    {
        var generator = SeededGenerator(seed: seed)
        try await TestNetwork.with { network in
            let (friends, id) = try await Self.friends(on: network)
            let group = try await friends.ann.space(of: id)
            for _ in 0..<14 {
                try await network.skip(seconds: generator.number(0...1500))
                try friends.ben.locate(metresNorth: Double(generator.number(300...900)))
                try await network.settle()
                let wasShown = await Self.isShown(friends, id)
                switch generator.number(0...11) {
                case 0: try await Self.write(["title": .null], in: group, by: friends)
                case 1: try await Self.write(["title": .text("Tea")], in: group, by: friends)
                case 2:
                    let isDeleted = generator.number(0...1) == 0
                    try await Self.write(
                        ["is_deleted": .boolean(isDeleted)], in: group, by: friends)
                case 3:
                    try await Self.move(
                        to: -generator.number(10_000...30_000), in: group, by: friends)
                case 4: await friends.ben.start()
                case 5, 6: try await Self.toggleMembership(in: group, of: friends)
                default:
                    try await Self.move(to: generator.number(-1800...9000), in: group, by: friends)
                }
                try await network.settle()
                let isShown = await Self.isShown(friends, id)
                #expect(wasShown || !isShown)
            }
        }
    }
}

extension Promises {
    /// Whether this device shows its person for a promise now.
    fileprivate func isShowing(_ id: Key) -> Bool {
        current.contains { Key($0.id) == id && sharingState(of: $0) == .sharing }
    }
}
