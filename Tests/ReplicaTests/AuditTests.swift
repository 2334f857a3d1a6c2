import GRDB
import Records
import Replica
import Testing

/// An audit finds damage of a log by its author's signatures, and another replica's copy repairs
/// it.
struct AuditTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    /// A log of 20 batches, each a title of one note.
    private func author() throws -> Author {
        var author = Author(mate.key, in: pair)
        let note = author.create(1)
        try author.write([note.operation], at: now)
        for number in 1..<20 {
            try author.write(
                [.set(note.entity, "title", .text("\(number)"))], at: now + .milliseconds(number))
        }
        return author
    }

    private func replica(_ home: Home) async throws -> Replica {
        try await home.replica(of: me.key, knowing: [me, mate], in: [pair])
    }

    /// A replica with the log, changed on the disk by SQL statements.
    private func damaged(_ author: Author, by sql: String...) async throws -> Replica {
        let home = try homes.make()
        let whole = try await replica(home)
        // Each batch is in a separate run, so that every signature is stored.
        for index in author.batches.indices {
            _ = try await whole.merge(
                [(pair.id, author.run(index..<index + 1))], wallTime: now)
        }
        try await whole.close()
        let queue = try DatabaseQueue(path: home.file())
        for statement in sql { try await queue.write { try $0.execute(sql: statement) } }
        try queue.close()
        return try await replica(home)
    }

    /// Returns SQL that flips one bit of a body.
    private func flip(_ number: Int) -> String {
        """
        UPDATE batch SET body = CAST(substr(body, 1, length(body) - 1) || 'Z' AS BLOB)
        WHERE id & 1099511627775 = \(number)
        """
    }

    private func numbers(_ replica: Replica) async throws -> [ClosedRange<UInt64>] {
        try await replica.damagedBatches(in: pair.id).map(\.numbers)
    }

    @Test func `equal logs have equal hashes over every range`() async throws {
        let author = try author()
        let (one, other) = (try await damaged(author), try await damaged(author))
        for (first, last) in [(1, 20), (1, 1), (20, 20), (7, 13)] as [(UInt64, UInt64)] {
            let mine = try await one.auditHash(
                in: pair.id, log: author.log, from: first, through: last)
            #expect(mine != nil)
            #expect(
                try await mine
                    == other.auditHash(in: pair.id, log: author.log, from: first, through: last))
            let hashes = author.batches[Int(first) - 1..<Int(last)].flatMap(\.hash.bytes)
            #expect(mine == Digest.audit.hash(hashes))
        }
        for (first, last) in [(0, 3), (5, 4), (1, 21)] as [(UInt64, UInt64)] {
            #expect(
                try await one.auditHash(in: pair.id, log: author.log, from: first, through: last)
                    == nil)
        }
        #expect(try await numbers(one).isEmpty)
    }

    @Test func `halving ranges finds the one damaged body`() async throws {
        let author = try author()
        let (good, bad) = (try await damaged(author), try await damaged(author, by: flip(14)))
        var range: ClosedRange<UInt64> = 1...20
        while range.count > 1 {
            let middle = range.lowerBound + UInt64(range.count - 1) / 2
            let halves = [range.lowerBound...middle, middle + 1...range.upperBound]
            var unequal: [ClosedRange<UInt64>] = []
            for half in halves {
                let (from, through) = (half.lowerBound, half.upperBound)
                let hashes = (
                    try await good.auditHash(
                        in: pair.id, log: author.log, from: from, through: through),
                    try await bad.auditHash(
                        in: pair.id, log: author.log, from: from, through: through)
                )
                if hashes.0 != hashes.1 { unequal.append(half) }
            }
            #expect(unequal.count == 1)
            range = try #require(unequal.first)
        }
        #expect(range == 14...14)
        #expect(try await numbers(bad) == [14...14])
    }

    @Test(
        arguments: [
            ("UPDATE batch SET stamp = stamp + 1 WHERE id & 255 = 9", [9...9]),
            ("UPDATE batch SET epoch = 1 WHERE id & 255 = 9", [9...9]),
            ("UPDATE batch SET hash = zeroblob(32) WHERE id & 255 = 9", [9...9]),
            ("UPDATE batch SET signature = zeroblob(64) WHERE id & 255 = 9", [9...9]),
            ("UPDATE batch SET body = x'' WHERE id & 255 = 9", [9...9]),
            ("UPDATE batch SET body = x'02' || zeroblob(32) WHERE id & 255 = 9", [9...9]),
            (
                "UPDATE batch SET body = zeroblob(9) WHERE id & 255 BETWEEN 4 AND 6",
                [4...4, 5...5, 6...6]
            ),
            ("DELETE FROM batch WHERE id & 255 BETWEEN 4 AND 6", [4...6, 7...7]),
            ("DELETE FROM batch WHERE id & 255 = 1", [1...1, 2...2]),
        ] as [(String, [ClosedRange<UInt64>])])
    func `every kind of damage is found, and repaired by a fetched run`(
        damage: String, expected: [ClosedRange<UInt64>]
    ) async throws {
        let author = try author()
        let bad = try await damaged(author, by: damage)
        #expect(try await numbers(bad) == expected)
        let good = try await damaged(author)
        for range in expected {
            let fetched = author.run(Int(range.lowerBound) - 1..<Int(range.upperBound))
            try await bad.mend(fetched, in: pair.id, wallTime: now)
        }
        #expect(try await numbers(bad).isEmpty)
        try await bad.rebuild(pair.id)
        #expect(try await Dump(bad) == Dump(good))
        #expect(await bad.digest(of: pair.id) == good.digest(of: pair.id))
    }

    @Test func `intact batches are not replaced, and a run of another chain is refused`()
        async throws
    {
        let author = try author()
        let replica = try await damaged(author)
        #expect(
            try await replica.mend(author.run, in: pair.id, wallTime: now).isEmpty)
        var other = Author(mate.key, in: pair)
        try other.write([other.create(2).operation], at: now)
        let forged = other.run
        await #expect(throws: BatchFault.forked(author: mate.device, number: 1)) {
            try await replica.mend(forged, in: pair.id, wallTime: now)
        }
        var longer = author
        try longer.write([longer.create(2).operation], at: now + .milliseconds(100))
        let tail = longer.run(20..<21)
        await #expect(throws: BatchFault.gap(expected: 21, found: 21)) {
            try await replica.mend(tail, in: pair.id, wallTime: now)
        }
    }
}
