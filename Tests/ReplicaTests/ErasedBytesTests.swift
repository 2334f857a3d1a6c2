import GRDB
import Records
import TestSupport
import Testing

@testable import Replica

/// No file contains erased content; the tests search for it byte by byte.
struct ErasedBytesTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor
    private let name = RecordCollection.memo.name

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    /// Returns the marks that occur in the database, its write-ahead log or its index.
    private func found(_ marks: [String], in home: Home) throws -> Set<String> {
        try DatabaseBytes(of: home.file()).marks.intersection(marks)
    }

    private func replica(
        _ key: Someone, _ home: Home, _ disk: any DiskSpace = FileSystem()
    ) async throws -> Replica {
        try await home.replica(
            of: key.key, knowing: [me, mate], in: [pair], collections: [.memo], diskSpace: disk)
    }

    /// Returns a unique text of a random length.
    private func draw(_ mark: String, _ generator: inout SeededGenerator) -> String {
        let sizes = [8, 40, 300, 1500, 5000]
        let filler = generator.bytes(sizes[generator.number(0...4)])
        return "<\(mark)>" + Hexadecimal.text(filler)
    }

    private func send(from one: Replica, to other: Replica) async throws {
        let log = LogName(device: me.device)
        while true {
            let reached = await other.heads(in: pair.id).first { $0.log == log }?.high ?? 0
            let run = try await one.runs(
                in: pair.id, log: log, after: reached, bytesMax: 1 << 18)
            guard let run else { return }
            _ = try await other.merge([(pair.id, run)], wallTime: now)
        }
    }

    /// Writes memos with an indexed text that is overwritten, an element of a set, and an append
    /// field.
    private func write(
        _ count: Int, by replica: Replica
    ) async throws -> (memos: [EntityID], marks: [[String]]) {
        var generator = SeededGenerator(seed: 7)
        var (memos, marks): ([EntityID], [[String]]) = ([], [])
        for number in 0..<count {
            let words = ["first", "later", "tag", "kept"].map { "\($0)-\(number)" }
            let created = try await replica.author(
                [
                    .create(
                        collection: name, nonce: try #require(Bytes16(generator.bytes(16))),
                        fields: [
                            "text": .text(draw(words[0], &generator)),
                            "original": .text(draw(words[3], &generator)),
                        ])
                ], in: pair.id, wallTime: now)
            let memo = try #require(created.created.first)
            if generator.chance(40) {
                let tag = Value.text(draw(words[2], &generator))
                _ = try await replica.author(
                    [
                        .set(
                            collection: name, entity: memo,
                            fields: ["text": .text(draw(words[1], &generator))]),
                        .add(collection: name, entity: memo, field: "tags", tag),
                    ], in: pair.id, wallTime: now)
            }
            memos.append(memo)
            marks.append(words)
        }
        return (memos, marks)
    }

    @Test func `erased text is in no file of the author, a receiver or an absent replica`()
        async throws
    {
        let (mine, theirs, away) = (try homes.make(), try homes.make(), try homes.make())
        let author = try await replica(me, mine)
        let receiver = try await replica(mate, theirs)
        let absent = try await replica(mate, away)
        let (memos, marks) = try await write(1200, by: author)
        try await send(from: author, to: receiver)
        try await send(from: author, to: absent)

        let victims = stride(from: 3, to: memos.count, by: 24).map { $0 }
        let gone = victims.flatMap { marks[$0] }
        let kept = marks.indices.filter { !victims.contains($0) }.map { marks[$0][3] }
        for home in [mine, theirs, away] { #expect(try found(gone, in: home).count > 100) }
        _ = try await author.author(
            victims.map { .erase(collection: name, entity: memos[$0]) }, in: pair.id,
            wallTime: now)
        try await send(from: author, to: receiver)
        for (replica, cause) in [(author, DueScrub.ownErase), (receiver, .othersErase)] {
            #expect(await replica.dueScrub == cause)
            #expect(try await replica.scrub())
            #expect(await replica.dueScrub == nil)
        }
        for home in [mine, theirs] {
            #expect(try found(gone, in: home).isEmpty)
            #expect(try found(kept, in: home).count == kept.count)
        }
        #expect(try found(gone, in: away).count > 100)

        // It erases when it comes back, no matter which replica it meets. Here it is not the
        // author's.
        try await send(from: receiver, to: absent)
        #expect(try await absent.scrub())
        #expect(try found(gone, in: away).isEmpty)
        #expect(try found(kept, in: away).count == kept.count)
        #expect(try await Dump(absent, .memo) == Dump(author, .memo))
    }

    @Test func `a node that was killed before it could scrub does so later`() async throws {
        let home = try homes.make()
        let author = try await replica(me, home)
        let (memos, marks) = try await write(40, by: author)
        _ = try await author.author(
            memos.prefix(20).map { .erase(collection: name, entity: $0) }, in: pair.id,
            wallTime: now)
        let copy = try home.copy()
        let again = try await replica(me, copy)
        #expect(await again.dueScrub == .ownErase)
        #expect(try await again.scrub())
        #expect(try found(marks.prefix(20).flatMap { $0 }, in: copy).isEmpty)
    }

    private func fileBytes(_ replica: Replica) async throws -> Int {
        try await replica.pool.read { database in
            let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            return count * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
    }

    @Test func `the file is not rewritten on a disk without room for a copy and a log of it`()
        async throws
    {
        let home = try homes.make()
        let disk = FakeDisk(1 << 40)
        let author = try await replica(me, home, disk)
        let (memos, marks) = try await write(40, by: author)
        _ = try await author.author(
            [.erase(collection: name, entity: memos[0])], in: pair.id, wallTime: now)
        disk.set(2 * (try await fileBytes(author)) - 1)
        let path = author.path
        await #expect(throws: ReplicaFault.diskFull(path: path)) { try await author.scrub() }
        #expect(await author.dueScrub == .ownErase)
        // The file can be closed, and the next start knows what is due.
        try await author.close()
        let again = try await replica(me, home, disk)
        #expect(await again.dueScrub == .ownErase)
        disk.set(2 * (try await fileBytes(again)))
        #expect(try await again.scrub())
        #expect(try found(marks[0], in: home).isEmpty)
    }

    @Test func `a reader that uses the write-ahead log only delays the scrub`()
        async throws
    {
        let home = try homes.make()
        let author = try await replica(me, home)
        let (memos, marks) = try await write(5, by: author)
        let reader = try OpenReader(home.file())
        _ = try await author.author(
            [.erase(collection: name, entity: memos[0])], in: pair.id, wallTime: now)
        #expect(try await !author.scrub())
        #expect(await author.dueScrub == .ownErase)
        try reader.end()
        #expect(try await author.scrub())
        #expect(try found(marks[0], in: home).isEmpty)
    }
}
