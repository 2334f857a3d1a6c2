import GRDB
import Identity
import Records
import TestSupport
import Testing

@testable import Replica

/// Backups, restores, verification and repairs of a replica with an open space, in which logs begin
/// in the middle and fork.
struct OpenUpkeepTests {
    private let homes = Homes()
    private let town = OpenTown()
    private let me: Someone
    private let ben: Someone
    private let cho: Someone
    private let link: Someone

    init() throws {
        me = try Someone(seed: 561)
        ben = try Someone(seed: 562)
        cho = try Someone(seed: 563)
        link = try Someone(seed: 564)
    }

    private func replica(_ home: Home) async throws -> Replica {
        let replica = try await home.replica(
            of: me.key, knowing: [me], in: [town.space, .own(me.person)],
            collections: [.post, .comment, .kept])
        await replica.retain([])
        await replica.share(among: [link.person])
        return replica
    }

    private func poster(_ someone: Someone, _ count: Int) throws -> Poster {
        var poster = Poster(someone, in: town)
        for number in 0..<count {
            try poster.post(
                "\(someone.person.suffix) \(number + 1)", at: now + .milliseconds(number))
        }
        return poster
    }

    /// Fills a replica: own posts, a log from its fourth batch on, and both sides of a fork.
    private func filled(_ home: Home) async throws -> Poster {
        let replica = try await replica(home)
        for title in ["mine", "also mine"] {
            _ = try await replica.author(
                [
                    .create(
                        collection: RecordCollection.post.name,
                        nonce: Poster.nonce(UInt64(title.utf8.count)),
                        fields: ["title": .text(title)])
                ], in: town.id, wallTime: now)
        }
        let ben = try poster(ben, 12)
        try await replica.receive(ben.piece(4...12), from: link, in: town)
        var one = try poster(cho, 3)
        var other = one.forking(after: 2)
        try one.post("one side", at: now + .seconds(1))
        try other.post("other side", at: now + .seconds(2))
        try await replica.receive(one.piece, from: link, in: town)
        try await replica.receive(other.piece, from: link, in: town)
        #expect(try await replica.titles().count == 2 + 9 + 5)
        try await replica.close()
        return ben
    }

    /// The state of a replica as it shows, offers and counts it.
    private struct View: Equatable {
        let dump: Dump
        let offers: [OfferedLog]
        let use: OpenUse?

        init(_ replica: Replica, _ town: OpenTown) async throws {
            dump = try await Dump(replica, .post)
            offers = replica.offer(of: town.id)?.logs ?? []
            use = await replica.use(of: town.id, wallTime: now)
        }
    }

    private func change(_ home: Home, _ sql: String) throws {
        let queue = try DatabaseQueue(path: home.file())
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    private var bensLog: String { "(SELECT number FROM log WHERE device = x'\(ben.device)')" }

    @Test func `a restored replica has the space as it was, and its logs go on`() async throws {
        let (home, other) = (try homes.make(), try homes.make())
        var ben = try await filled(home)
        let replica = try await replica(home)
        let before = try await View(replica, town)
        let backup = BackupFile(path: home.file("backup"))
        try backup.write(
            replica: home.file(),
            BackupFile.Identity(key: me.key.rawRepresentation, person: me.record.encoded))
        try backup.unpack(to: other.file())
        let restored = try await self.replica(other)
        #expect(try await View(restored, town) == before)
        #expect(try await restored.damagedBatches(in: town.id).isEmpty)
        #expect(try await restored.fileFindings().isEmpty)
        try ben.post("after the backup", at: now + .seconds(9))
        for replica in [replica, restored] {
            try await replica.receive(ben.piece(13...13), from: link, in: town)
            try await replica.receive(ben.piece(1...3), from: link, in: town)
        }
        #expect(try await View(restored, town) == View(replica, town))
        #expect(restored.offered(ben.log, in: town)?.low == 1)
    }

    @Test func `a repair of a sound space merges it again, and changes nothing else`()
        async throws
    {
        let home = try homes.make()
        _ = try await filled(home)
        let before = try await View(try await replica(home), town)
        try change(home, "UPDATE post SET title = 'wrong'")
        let replica = try await replica(home)
        #expect(try await View(replica, town) != before)
        let report = try await replica.repair(town.id)
        #expect(report.damaged.isEmpty && !report.hasCutOwn)
        #expect(try await View(replica, town) == before)
    }

    @Test(arguments: ["stamp = stamp + 1", "hash = zeroblob(32)"])
    func `a damaged log is named, ends before its damage, and is read again`(damage: String)
        async throws
    {
        let home = try homes.make()
        let ben = try await filled(home)
        let before = try await View(try await replica(home), town)
        try change(
            home, "UPDATE batch SET \(damage) WHERE id & 255 = 8 AND id >> 40 = \(bensLog)")
        let replica = try await replica(home)
        #expect(
            try await replica.damagedBatches(in: town.id).map(\.numbers.lowerBound) == [8])
        let report = try await replica.repair(town.id)
        #expect(report.damaged.map(\.log) == [ben.log])
        let offered = try #require(replica.offered(ben.log, in: town))
        #expect(offered.low == 4 && offered.high == 7)
        // What was cut off is counted no more, in memory and in the file.
        let use = await replica.use(of: town.id, wallTime: now)
        #expect(use?.records == (before.use?.records ?? 0) - 5)
        try await replica.close()
        let again = try await self.replica(home)
        #expect(await again.use(of: town.id, wallTime: now) == use)
        // On the same day, since what was cut off is no part of its author's day any more.
        try await again.receive(ben.piece(8...12), from: link, in: town)
        #expect(try await View(again, town) == before)
    }

    @Test func `what a repair cuts off is given back to its author's day`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let ben = try poster(ben, 20)
        try await replica.receive(ben.piece, from: link, in: town)
        try await replica.close()
        try change(
            home, "UPDATE batch SET stamp = stamp + 1 WHERE id & 255 = 3 AND id >> 40 = \(bensLog)")
        let repaired = try await self.replica(home)
        _ = try await repaired.repair(town.id)
        #expect(repaired.offered(ben.log, in: town)?.high == 2)
        let piece = try await repaired.receive(ben.piece(3...20), from: link, in: town)
        guard case .stored = piece.result else {
            Issue.record("the posts of a day are counted twice: \(piece.result)")
            return
        }
        #expect(try await repaired.titles().count == 20)
    }

    @Test func `no file contains what a space brought that was left`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        _ = try await replica.author(
            [.own(collection: RecordCollection.kept.name, fields: ["text": .text("<kept>")])],
            in: SpaceDescriptor.own(me.person).id, wallTime: now)
        var ben = Poster(ben, in: town)
        for number in 0..<8 {
            try ben.post("<gone-\(number)>" + String(repeating: "x", count: 300 * number), at: now)
        }
        try await replica.receive(ben.piece, from: link, in: town)
        #expect(try DatabaseBytes(of: home.file()).marks.contains("gone-3"))
        try await replica.leave([town.id])
        #expect(replica.upkeep.dueScrub != nil)
        try await replica.scrub()
        let found = try DatabaseBytes(of: home.file()).marks
        #expect(found.contains("kept"))
        #expect(!found.contains { $0.hasPrefix("gone") })
        #expect(await replica.personRecord(self.ben.person) == nil)
    }
}

extension RecordCollection {
    /// A record of this person alone.
    fileprivate static let kept = RecordCollection(
        "test.kept/1", table: "kept", spaces: [.own],
        fields: [Field(1, "text", .text(bytesMax: 99))])
}
