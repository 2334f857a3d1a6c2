import Foundation
import GRDB
import Records
import Replica
import Testing

/// A repair cuts off damaged batches, and peers can send them again.
struct RepairTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    private func replica(_ home: Home) async throws -> Replica {
        try await home.replica(of: me.key, knowing: [me, mate], in: [pair])
    }

    /// Fills a replica with ten batches of the mate and three of its own.
    private func filled(_ home: Home) async throws -> Author {
        let replica = try await replica(home)
        var author = Author(mate.key, in: pair)
        let note = author.create(1)
        try author.write([note.operation], at: now)
        for number in 1..<10 {
            try author.write(
                [.set(note.entity, "title", .text("\(number)"))], at: now + .milliseconds(number))
        }
        try await replica.merge([author])
        for title in ["a", "b", "c"] {
            _ = try await replica.author(
                [.own(collection: "test.note/1", fields: ["title": .text(title)])], in: pair.id,
                wallTime: now)
        }
        try await replica.close()
        return author
    }

    private func change(_ home: Home, _ sql: String) async throws {
        let queue = try DatabaseQueue(path: home.file())
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test func `a sound space is only merged again`() async throws {
        let home = try homes.make()
        _ = try await filled(home)
        let replica = try await replica(home)
        let before = try await Dump(replica)
        try await change(home, "UPDATE note SET title = 'wrong'")
        let report = try await replica.repair(pair.id)
        #expect(report.damaged.isEmpty && !report.hasCutOwn)
        #expect(report.checkedCount == 13)
        #expect(try await Dump(replica) == before)
        #expect(try await replica.fileFindings().isEmpty)
    }

    @Test func `another device's log ends before its damage, and a peer sends the rest again`()
        async throws
    {
        let home = try homes.make()
        let author = try await filled(home)
        let before = try await Dump(try await replica(home))
        try await change(
            home,
            """
            UPDATE batch SET stamp = stamp + 1 WHERE id & 255 = 5
                AND id >> 40 = (SELECT number FROM log WHERE device = x'\(mate.device)')
            """)
        let replica = try await replica(home)
        let report = try await replica.repair(pair.id)
        #expect(report.damaged.map(\.numbers) == [5...5])
        #expect(!report.hasCutOwn)
        #expect(try !home.copy().replica(me.key).hasCutOwnLog)
        #expect(await replica.heads(in: pair.id).first { $0.log == author.log }?.high == 4)
        #expect(try await replica.merge([author]).faults.isEmpty)
        #expect(try await Dump(replica) == before)
        #expect(try await replica.damagedBatches(in: pair.id).isEmpty)
    }

    @Test func `a cut of the device's own log is known at the next start`() async throws {
        let home = try homes.make()
        _ = try await filled(home)
        try await change(
            home,
            """
            DELETE FROM batch WHERE id & 255 = 2
                AND id >> 40 = (SELECT number FROM log WHERE device = x'\(me.device)')
            """)
        let damaged = try await replica(home)
        let report = try await damaged.repair(pair.id)
        #expect(report.hasCutOwn)
        #expect(
            await damaged.heads(in: pair.id).first { $0.log.device == me.device }?.high == 1)
        // The files as a kill at this moment would leave them.
        #expect(try home.copy().replica(me.key).hasCutOwnLog)
        try await damaged.close()
        #expect(try await replica(home).hasCutOwnLog)
        #expect(try !home.copy().replica(mate.key).hasCutOwnLog)
    }
}
