import PluginKit
import TestSupport
import Testing

@testable import Promises

/// Rules that turn with a millisecond, from both sides, as commands show them.
@Suite struct BoundaryTests {
    @Test func `a promise is made and moved half an hour ahead, and no millisecond less`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let nowMs = friends.ann.clock.wallMilliseconds
            let refusal = CommandFault.usage(
                "A promise is made at least 30 minutes ahead.", field: "atMs")
            await #expect(throws: refusal) {
                try await friends.ann.make(atMs: nowMs + 1_799_999, with: friends.ben)
            }
            #expect(try await friends.ann.listed().isEmpty)
            let made = try await friends.ann.make(atMs: nowMs + 1_800_000, with: friends.ben)
            #expect(made["atMs"] == .integer(nowMs + 1_800_000))

            let id = try await friends.promise(inSeconds: 3600)
            await #expect(throws: refusal) {
                try await friends.ann.move(id, atMs: nowMs + 1_799_999)
            }
            let moved = try await friends.ann.move(id, atMs: nowMs + 1_800_000)
            #expect(moved["atMs"] == .integer(nowMs + 1_800_000))
        }
    }

    @Test func `a position is used at 120 s, and grey a millisecond later`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 900)
            try await network.settle()
            try await network.skip(seconds: 120)
            let fresh = try await friends.ann.person(friends.ben, in: id)?["position"]
            #expect(fresh?["isStale"] == false && fresh?["ageSeconds"] == 120)
            #expect(try await friends.ben.sharing(id) == "sharing")
            try await friends.passMillisecond()
            // Its age is told in whole seconds, and parts of one are dropped.
            let old = try await friends.ann.person(friends.ben, in: id)?["position"]
            #expect(old?["isStale"] == true && old?["ageSeconds"] == 120)
            #expect(try await friends.ben.sharing(id) == "searching")
        }
    }

    @Test(arguments: [true, false])
    func `a fix of 120 s ago still says that somebody is there, and an older one does not`(
        _ isFresh: Bool
    ) async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            try friends.ben.locate(metresNorth: 10)
            try await network.settle()
            if !isFresh { try await friends.passMillisecond() }
            // Tracked in 120 s from now on.
            let id = try await friends.promise(inSeconds: 1920)
            try await network.skip(seconds: 120)
            let ben = try await friends.ann.person(friends.ben, in: id)
            #expect(ben?["rank"] == (isFresh ? 1 : nil))
            #expect(try await friends.ben.sharing(id) == (isFresh ? "arrived" : "searching"))
        }
    }

    @Test func `who comes a millisecond less than a minute late owes nothing, then all`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800, penalty: 500)
            let atMs = friends.ann.clock.wallMilliseconds + 1_800_000
            try friends.ann.locate(metresNorth: 10, atMs: atMs + 59_999)
            try friends.ben.locate(metresNorth: 10, atMs: atMs + 60_000)
            try await network.settle()
            for host in friends.all { host.clock.setWall(milliseconds: atMs + 10_800_000) }
            try await network.pass(seconds: 1)
            for host in friends.all {
                let answer = try await host.run("promise", "result", ["promise": .string(id)])
                let people = answer["people"]?.array ?? []
                #expect(people.map { $0["lateness"]?.string } == ["onTime", "late"])
                #expect(people.map { $0["owes"]?.integer } == [0, 500])
            }
        }
    }
}

extension Friends {
    /// Lets a millisecond pass for everybody.
    fileprivate func passMillisecond() async throws {
        for host in all { host.clock.advance(by: .milliseconds(1)) }
        try await network.settle()
    }
}

extension TestHost {
    /// Makes a promise for a time in milliseconds since 1970, with one other.
    fileprivate func make(atMs: Int64, with other: TestHost) async throws -> JSONValue {
        try await run(
            "promise", "create",
            [
                "title": "Dinner", "latitude": .number(Friends.place.latitude),
                "longitude": .number(Friends.place.longitude), "atMs": .integer(atMs),
                "with": [other.key64],
            ])
    }

    /// Moves a promise to a time in milliseconds since 1970.
    fileprivate func move(_ id: String, atMs: Int64) async throws -> JSONValue {
        try await run("promise", "edit", ["promise": .string(id), "atMs": .integer(atMs)])
    }
}
