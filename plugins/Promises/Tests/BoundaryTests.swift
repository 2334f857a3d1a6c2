import FeaturesAPI
import PluginKit
import PromisesAPI
import TestSupport
import Testing

@testable import Promises

/// Rules that change at a millisecond, from both sides, as commands show them.
@Suite struct BoundaryTests {
    @Test func `a promise without a location is at the user's own`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let request = CreatePromise(
                title: try Text("Dinner"), atMs: friends.ann.time(in: .seconds(3600)),
                with: [friends.ben.prefix])
            await #expect {
                try await friends.ann.call(PromiseCommands.create, request)
            } throws: { ($0 as? CommandFault)?.code == "refused" }
            try await friends.ann.call(
                LocationCommands.set, .init(latitude: Latitude(1), longitude: Longitude(2)))
            let made = try await friends.ann.call(PromiseCommands.create, request).summary
            #expect(made.latitude == 1 && made.longitude == 2)
        }
    }

    @Test func `a promise is made and moved at least half an hour ahead, to the millisecond`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let now = friends.ann.time()
            let refusal = CommandFault.refused("A promise must be at least 30 minutes ahead.")
            await #expect(throws: refusal) {
                try await friends.ann.make(at: now + .milliseconds(1_799_999), with: friends.ben)
            }
            #expect(try await friends.ann.listed().isEmpty)
            let made = try await friends.ann.make(
                at: now + .milliseconds(1_800_000), with: friends.ben)
            #expect(made == now + .milliseconds(1_800_000))

            let id = try await friends.promise(inSeconds: 3600)
            await #expect(throws: refusal) {
                try await friends.ann.move(id, at: now + .milliseconds(1_799_999))
            }
            let moved = try await friends.ann.move(id, at: now + .milliseconds(1_800_000))
            #expect(moved == now + .milliseconds(1_800_000))
        }
    }

    @Test func `a location is used at 120 s, and is grey a millisecond later`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 900)
            try await network.settle()
            try await network.skip(seconds: 120)
            let fresh = try await friends.ann.person(friends.ben, in: id)?.location
            #expect(fresh?.isStale == false && fresh?.ageSeconds == 120)
            #expect(try await friends.ben.sharing(id) == .sharing)
            try await friends.passMillisecond()
            // Its age is given in whole seconds, rounded down.
            let old = try await friends.ann.person(friends.ben, in: id)?.location
            #expect(old?.isStale == true && old?.ageSeconds == 120)
            #expect(try await friends.ben.sharing(id) == .searching)
        }
    }

    @Test(arguments: [true, false])
    func `a fix that is 120 s old counts as an arrival, and an older one does not`(
        _ isFresh: Bool
    ) async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            try friends.ben.locate(metresNorth: 10)
            try await network.settle()
            if !isFresh { try await friends.passMillisecond() }
            // Its tracking begins 120 s from now.
            let id = try await friends.promise(inSeconds: 1920)
            try await network.skip(seconds: 120)
            let ben = try await friends.ann.person(friends.ben, in: id)
            #expect(ben?.rank?.value == (isFresh ? 1 : nil))
            #expect(try await friends.ben.sharing(id) == (isFresh ? .arrived : .searching))
        }
    }

    @Test func `a debt begins exactly one minute after the time`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800, penalty: 500)
            let at = friends.ann.time(in: .seconds(1800))
            try friends.ann.locate(metresNorth: 10, at: at + .milliseconds(59_999))
            try friends.ben.locate(metresNorth: 10, at: at + .seconds(60))
            try await network.settle()
            for host in friends.all { host.clock.setWall(at + .seconds(10_800)) }
            try await network.pass(seconds: 1)
            for host in friends.all {
                let answer = try await host.call(PromiseCommands.result, .init(id))
                #expect(answer.people.map(\.lateness) == [.onTime, .late])
                #expect(answer.people.map(\.owes.value) == [0, 500])
            }
            let debts = try await [
                friends.ann.call(PromiseCommands.ledger).debts,
                friends.ben.call(PromiseCommands.ledger).debts,
            ].joined().map(\.text.sentence.english)
            #expect(
                debts == [
                    "Ben owes you 500 potatoes for Dinner.", "You owe Ann 500 potatoes for Dinner.",
                ])
        }
    }
}

extension Friends {
    /// Lets a millisecond pass on all hosts.
    fileprivate func passMillisecond() async throws {
        for host in all { host.clock.advance(by: .milliseconds(1)) }
        try await network.settle()
    }
}

extension TestHost {
    /// Makes a promise for a time, with one other.
    /// - Returns: its time.
    fileprivate func make(at: Timestamp, with other: TestHost) async throws -> Timestamp {
        try await call(
            PromiseCommands.create,
            .init(
                title: Text("Dinner"), atMs: at,
                latitude: Latitude(Friends.location.latitude),
                longitude: Longitude(Friends.location.longitude), with: [other.prefix])
        ).summary.atMs
    }

    /// Moves a promise.
    /// - Returns: its time.
    fileprivate func move(_ id: Key, at: Timestamp) async throws -> Timestamp {
        try await call(PromiseCommands.edit, .init(promise: NameOrKey(id), atMs: at)).summary.atMs
    }
}
