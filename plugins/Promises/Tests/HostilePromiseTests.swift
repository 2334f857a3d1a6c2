import PluginKit
import PromisesAPI
import Records
import TestSupport
import Testing

@testable import Promises

/// A participant with a modified program, and the limits to what it can do.
@Suite struct HostilePromiseTests {
    private func set(
        _ collection: RecordCollection, _ entity: EntityID, _ field: String, _ value: Value
    ) throws -> Records.Operation {
        let number = try #require(collection.field(named: field)?.number)
        return Records.Operation(
            collection: collection.id, entity: entity, action: .set(field: number, value))
    }

    @Test func `a signed edit of a person who is not the maker has no effect`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise()
            let space = try await friends.ann.space(of: id)
            let entity = Records.Operation.ownEntity(
                in: space.id, of: Promises.promise.id, person: friends.ann.me.person)
            try await friends.ben.forge(
                [
                    try set(Promises.promise, entity, "title", .text("Mine now")),
                    try set(Promises.promise, entity, "penalty", .integer(5000)),
                    try set(Promises.promise, entity, "is_deleted", .boolean(true)),
                ], in: space, for: friends.ann)
            try await network.settle()
            let shown = try await friends.ann.show(id)
            #expect(shown.summary.title == "Dinner" && shown.summary.penalty == 500)
            #expect(shown.summary.phase == .scheduled)
        }
    }

    @Test func `a participant cannot write another person's arrival`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise()
            let space = try await friends.ann.space(of: id)
            let entity = Records.Operation.ownEntity(
                in: space.id, of: Promises.attendance.id, person: friends.cem.me.person)
            let at = friends.ann.time(in: .seconds(3600))
            try await friends.ben.forge(
                [try set(Promises.attendance, entity, "arrived_ms", .integer(at.milliseconds))],
                in: space, for: friends.ann)
            #expect(try await friends.ann.person(friends.cem, in: id)?.arrivedMs == nil)
        }
    }

    @Test func `a second record of the maker or a participant counts nothing twice`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise()
            let space = try await friends.ann.space(of: id)
            let nonce = friends.ann.random.nonce()
            let second = Records.Operation.entity(
                in: space.id, of: Promises.promise.id, by: friends.ann.me.device, nonce: nonce)
            try await friends.ann.forge(
                [
                    Records.Operation(
                        collection: Promises.promise.id, entity: second,
                        action: .create(nonce: nonce)),
                    try set(Promises.promise, second, "title", .text("Other")),
                    try set(Promises.promise, second, "at_ms", .integer(1_900_009_000_000)),
                    try set(Promises.promise, second, "latitude", .real(1)),
                    try set(Promises.promise, second, "longitude", .real(1)),
                    try set(Promises.promise, second, "penalty", .integer(0)),
                ], in: space, for: friends.ben)
            try await network.settle()
            #expect(try await friends.ben.listed().count == 1)
            #expect(try await friends.ben.show(id).summary.title == "Dinner")
            #expect(try await friends.ben.show(id).people.count == 2)
        }
    }

    @Test(arguments: [
        ["penalty": Value.integer(4999)], ["latitude": .real(91)], ["title": .text(" \n ")],
        ["longitude": .real(-200)], ["title": .null],
    ])
    func `a promise that breaks the rules is not shown`(_ fields: [String: Value])
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise()
            let space = try await friends.ann.space(of: id)
            try await friends.ann.write(
                [.own(collection: Promises.promise.name, fields: fields)], in: space)
            try await network.settle()
            #expect(try await friends.ben.listed().isEmpty)
            _ = try await friends.ben.call(PromiseCommands.ledger)
        }
    }

    @Test func `an invalid past promise hides none of the promises before it`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            for number in 0..<12 {
                let id = try await friends.promise(inSeconds: 3600 + Int64(number))
                guard number == 9 else { continue }
                try await friends.ann.write(
                    [.own(collection: Promises.promise.name, fields: ["penalty": .integer(4999)])],
                    in: try await friends.ann.space(of: id))
            }
            try await network.settle()
            friends.ben.clock.setWall(friends.ben.time(in: .seconds(4 * 3600 + 60)))
            let first = try await friends.ben.call(PromiseCommands.list, .init(past: true))
            let cursor = try #require(first.next)
            let second = try await friends.ben.call(
                PromiseCommands.list, .init(past: true, cursor: cursor))
            #expect([first, second].map(\.promises.count) == [9, 2])
        }
    }

    @Test func `an arrival before tracking begins or after it ends does not count`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            let at = friends.ann.time(in: .seconds(1800))
            let space = try await friends.ann.space(of: id)
            for arrived in [
                .min, at - .milliseconds(1_800_001), at + .seconds(10_800),
            ] {
                try await friends.ben.write(
                    [
                        .own(
                            collection: Promises.attendance.name,
                            fields: ["again_arrived_ms": .integer(arrived.milliseconds)])
                    ], in: space)
            }
            try await network.settle()
            let ben = try await friends.ann.person(friends.ben, in: id)
            #expect(ben?.arrivedMs == nil && ben?.rank == nil)
            // If a person declares two arrivals, the first valid one counts.
            for (field, seconds) in [("arrived_ms", 60), ("again_arrived_ms", -60)] {
                try await friends.ben.write(
                    [
                        .own(
                            collection: Promises.attendance.name,
                            fields: [field: .integer((at + .seconds(seconds)).milliseconds)])
                    ], in: space)
            }
            try await network.settle()
            for host in friends.all {
                #expect(
                    try await host.person(friends.ben, in: id)?.arrivedMs
                        == at - .seconds(60))
            }
        }
    }

    @Test func `a maker who writes any time at any moment shows nobody, and all may leave`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 86_400)
            let space = try await friends.ann.space(of: id)
            // Now, a little later, long ago, and a time whose tracking begins in a moment.
            for seconds in [0, 60, -7200, 1810, 0, 86_400 * 2, 1799, -60] as [Int64] {
                try friends.ben.locate(metresNorth: Double(900 + seconds % 50))
                let at = friends.ann.time(in: .seconds(seconds))
                try await friends.ann.write(
                    [
                        .own(
                            collection: Promises.promise.name,
                            fields: ["at_ms": .integer(at.milliseconds)])
                    ], in: space)
                try await network.pass(seconds: 40)
                #expect(try await friends.ann.person(friends.ben, in: id)?.location == nil)
            }
            #expect(await network.sentCount("promise", to: friends.ann) == 0)
            #expect(try await friends.ann.person(friends.ben, in: id)?.departedMs == nil)
            // The time has come, but Ben never agreed to it.
            try await friends.ben.call(PromiseCommands.leave, .init(id))
            #expect(try await friends.ben.show(id).summary.state == .left)
        }
    }

    @Test func `the maker cannot write another person's consent`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 7200)
            let space = try await friends.ann.space(of: id)
            let at = friends.ann.time(in: .seconds(1800))
            try await friends.ann.call(
                PromiseCommands.edit, .init(promise: NameOrKey(id), atMs: at))
            try await network.settle()
            let before = try await friends.ben.sharing(id)
            #expect(before == .unconfirmed)
            let entity = Records.Operation.ownEntity(
                in: space.id, of: Promises.attendance.id, person: friends.ben.me.person)
            try await friends.ann.forge(
                [try set(Promises.attendance, entity, "agreed_ms", .integer(at.milliseconds))],
                in: space, for: friends.ben)
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .unconfirmed)
            #expect(try await friends.ann.person(friends.ben, in: id)?.hasConfirmed == false)
        }
    }

    @Test func `a promise has at most 32 people`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.ann.promise(with: [friends.ben])
            let space = try await friends.ann.space(of: id)
            for _ in 0..<29 {
                let person = try #require(PersonID(bytes: friends.ann.random.bytes(32)))
                try await friends.ann.grant(person, in: space)
            }
            try await network.settle()
            #expect(try await friends.ben.show(id).people.count == 31)
            let more = InviteToPromise(promise: NameOrKey(id), with: [friends.cem.prefix])
            try await friends.ann.call(PromiseCommands.invite, more)
            await #expect(throws: CommandFault.conflict("They have already been asked.")) {
                try await friends.ann.call(PromiseCommands.invite, more)
            }
            try await network.settle()
            try await friends.cem.call(PromiseCommands.leave, .init(id))
            try await network.settle()
            let last = try #require(PersonID(bytes: friends.ann.random.bytes(32)))
            try await friends.ann.grant(last, in: space)
            await #expect(throws: CommandFault.refused("A promise has at most 32 people.")) {
                try await friends.ann.call(PromiseCommands.invite, more)
            }
        }
    }

    @Test func `a location that is malformed or not from a participant is ignored`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800, accepting: false)
            try await friends.ben.call(PromiseCommands.accept, .init(id))
            try await network.settle()
            let space = try await friends.ann.space(of: id)
            let fix = Fix(point: try Point(latitude: 1, longitude: 2))
            let bodies = [SharedLocationMessage.fix(fix, age: .zero).encoded, [1, 1, 0], []]
            let senders = [friends.cem, friends.ben, friends.ben]
            for (host, body) in zip(senders, bodies) {
                try await friends.ann.plugin(Promises.self)?.received(
                    TopicMessage(topic: "promise", from: host.me, space: space, body: body))
                #expect(try await friends.ann.person(host, in: id)?.location == nil)
            }
        }
    }

    /// The number of batches of a host's own device in a space.
    private func ownBatches(_ host: TestHost, in space: SpaceDescriptor) async throws -> Int {
        try await host.rows(
            """
            SELECT b.batch FROM waggle_space s JOIN waggle_log l ON l.space = s.space
            JOIN waggle_batch b ON b.batch BETWEEN l.log << 40 AND (l.log + 1 << 40) - 1
            WHERE s.id = ? AND l.device = ?
            """, [.bytes(space.id.bytes), .bytes(host.me.device.bytes)]
        ).count
    }

    @Test func `a promise that is moved each second makes a person on the way write little`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            let space = try await friends.ann.space(of: id)
            try friends.ben.locate(metresNorth: 1000)
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .sharing)
            let before = try await ownBatches(friends.ben, in: space)
            let seconds = 30
            for _ in 0..<seconds {
                try await network.pass(seconds: 1)
                let at = friends.ann.time(in: .seconds(1800)).milliseconds
                try await friends.ann.write(
                    [.own(collection: Promises.promise.name, fields: ["at_ms": .integer(at)])],
                    in: space)
                try friends.ben.locate(metresNorth: 1000)
                try await network.settle()
            }
            let written = try await ownBatches(friends.ben, in: space) - before
            #expect(written > 0 && written <= DeclaringPace.atOnceMax + 2, "\(written) batches")
        }
    }
}
