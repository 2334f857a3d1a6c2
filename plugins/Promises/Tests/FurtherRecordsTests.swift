import PluginKit
import PromisesAPI
import Records
import TestSupport
import Testing

@testable import Promises

/// Further attendance records of one person, which only a changed program writes.
@Suite struct FurtherRecordsTests {
    @Test func `of each person one record is in the table, however many they write`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            let space = try await friends.ann.space(of: id)
            let at = friends.ann.time(in: .seconds(1800))
            for number in 0..<40 {
                let nonce = friends.ben.random.nonce()
                let entity = Records.Operation.entity(
                    in: space.id, of: Promises.attendance.id, by: friends.ben.me.device,
                    nonce: nonce)
                let moment = at - .seconds(Int64(number))
                try await friends.ben.forge(
                    [
                        Records.Operation(
                            collection: Promises.attendance.id, entity: entity,
                            action: .create(nonce: nonce)),
                        try set(entity, "departed_ms", .integer(moment.milliseconds)),
                        try set(entity, "arrived_ms", .integer(moment.milliseconds)),
                    ], in: space, for: friends.ann)
            }
            try await network.settle()
            for host in friends.all {
                let rows = try await host.rows(
                    "SELECT creator FROM promises_attendance ORDER BY creator")
                let people = Set(rows.compactMap { $0.person("creator") })
                #expect(rows.count == people.count && people.contains(friends.ben.me.person))
                #expect(try await host.person(friends.ben, in: id)?.arrivedMs == nil)
                #expect(try await host.person(friends.ben, in: id)?.departedMs == nil)
            }
        }
    }

    @Test func `a promise moved again and again needs no further records`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            for move in 0..<4 {
                try friends.ben.locate(metresNorth: 5)
                try await network.settle()
                let at = try await friends.ben.show(id).summary.atMs
                for host in friends.all {
                    let ben = try #require(try await host.person(friends.ben, in: id))
                    #expect(ben.rank == 1, "after \(move) moves")
                    #expect(try #require(ben.arrivedMs) >= at - PromiseLimits.tracking)
                }
                // The command refuses this once someone arrived; a changed program does not.
                let later = friends.ann.time(in: .seconds(4 * 3600))
                try await friends.ann.write(
                    [
                        .own(
                            collection: Promises.promise.name,
                            fields: ["at_ms": .integer(later.milliseconds)])
                    ], in: try await friends.ann.space(of: id))
                try await network.settle()
                try await friends.ben.call(PromiseCommands.confirm, .init(id))
                try await network.skip(seconds: 4 * 3600 - 900)
            }
            let rows = try await friends.ann.rows("SELECT entity FROM promises_attendance")
            #expect(rows.count == 2)
        }
    }

    private func set(
        _ entity: EntityID, _ field: String, _ value: Value
    ) throws -> Records.Operation {
        let number = try #require(Promises.attendance.field(named: field)).number
        return Records.Operation(
            collection: Promises.attendance.id, entity: entity,
            action: .set(field: number, value))
    }
}
