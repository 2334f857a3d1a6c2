import Records
import Replica
import Testing

/// An erase removes the operations and the bytes of a batch by the same person, and nothing else.
struct ErasingTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor
    private let salt = Bytes16([UInt8](repeating: 5, count: 16)) ?? .zero

    init() throws {
        me = try Someone(seed: 1, deviceCount: 2)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    private func replica(_ collections: [RecordCollection] = [.note]) async throws -> Replica {
        try await homes.make().replica(
            of: mate.key, knowing: [me, mate], in: [pair], collections: collections)
    }

    /// Sends everything one replica has of a log to another.
    private func send(_ log: LogName, from one: Replica, to other: Replica) async throws {
        let reached = await other.heads(in: pair.id).first { $0.log == log }?.high ?? 0
        let run = try #require(
            try await one.runs(in: pair.id, log: log, after: reached, bytesMax: 1 << 18))
        #expect(
            try await other.merge([(pair.id, run)], wallTime: now).faults.isEmpty)
    }

    // MARK: Own batches

    @Test func `erasing a record removes it from every replica and is reported`() async throws {
        let mine = try await homes.make().replica(
            of: me.key, knowing: [me, mate], in: [pair], collections: [.memo])
        let theirs = try await replica([.memo])
        let created = try await mine.author(
            [
                .create(
                    collection: RecordCollection.memo.name, nonce: salt,
                    fields: ["text": .text("walk")])
            ], in: pair.id, wallTime: now)
        let memo = try #require(created.created.first)
        _ = try await mine.author(
            [.set(collection: RecordCollection.memo.name, entity: memo, fields: ["text": .null])],
            in: pair.id, wallTime: now)
        let log = LogName(device: me.device)
        try await send(log, from: mine, to: theirs)
        #expect(try await Dump(theirs, .memo).lines.count == 1)

        let erased = try await mine.author(
            [.erase(collection: RecordCollection.memo.name, entity: memo)], in: pair.id,
            wallTime: now)
        #expect(erased.changes.map(\.entity) == [memo])
        #expect(erased.created.isEmpty)
        let run = try #require(
            try await mine.runs(in: pair.id, log: log, after: 2, bytesMax: 4096))
        let outcome = try await theirs.merge([(pair.id, run)], wallTime: now)
        #expect(outcome.commits.flatMap(\.changes).map(\.entity) == [memo])
        for replica in [mine, theirs] {
            #expect(try await Dump(replica, .memo).lines.isEmpty)
            let whole = try await replica.runs(in: pair.id, log: log, after: 0, bytesMax: 4096)
            #expect(whole?.batches.map { $0.body == nil } == [true, true, false])
            #expect(try await replica.damagedBatches(in: pair.id).isEmpty)
        }
    }

    @Test func `an erasable record is written in a separate batch`() async throws {
        let mine = try await homes.make().replica(
            of: me.key, knowing: [me, mate], in: [pair, .own(me.person)],
            collections: [.note, .memo])
        let memo = Edit.create(
            collection: RecordCollection.memo.name, nonce: salt, fields: ["text": .text("walk")])
        let note = Edit.own(collection: RecordCollection.note.name, fields: ["title": .text("x")])
        await #expect(throws: EditFault.notAlone(collection: RecordCollection.memo.name)) {
            try await mine.author([memo, note], in: pair.id, wallTime: now)
        }
        let alone = try await mine.author([memo], in: pair.id, wallTime: now)
        #expect(alone.created.count == 1)
    }

    @Test func `a batch with other records or without salt is not erased`() async throws {
        let own = SpaceDescriptor.own(me.person)
        let mine = try await homes.make().replica(
            of: me.key, knowing: [me, mate], in: [pair, own], collections: [.note, .memo])
        let name = RecordCollection.note.name
        let other = Bytes16([UInt8](repeating: 6, count: 16)) ?? .zero
        let two = try await mine.author(
            [
                .create(collection: name, nonce: salt, fields: [:]),
                .create(collection: name, nonce: other, fields: [:]),
            ], in: pair.id, wallTime: now
        ).created
        let plain = try await mine.author(
            [.create(collection: name, nonce: salt, fields: [:])], in: own.id,
            wallTime: now
        ).created
        for (space, entity) in [(pair, two[0]), (own, plain[0])] {
            await #expect(throws: EditFault.notErasable(collection: name, entity)) {
                try await mine.author(
                    [.erase(collection: name, entity: entity)], in: space.id,
                    wallTime: now)
            }
        }
        await #expect(throws: EditFault.unknownEntity(collection: name, two[0])) {
            try await mine.author(
                [.erase(collection: name, entity: two[0])], in: own.id, wallTime: now)
        }
    }

    @Test func `all own batches in a space are erased up to the given heads`() async throws {
        let mine = try await homes.make().replica(of: me.key, knowing: [me, mate], in: [pair])
        var theirs = Author(mate.key, in: pair)
        let note = theirs.create(1)
        try theirs.write([note.operation], at: now, salt: salt)
        try await mine.merge([theirs])
        let name = RecordCollection.note.name
        for title in ["a", "b"] {
            _ = try await mine.author(
                [.own(collection: name, fields: ["title": .text(title)])], in: pair.id,
                wallTime: now)
        }
        let heads = await mine.heads(in: pair.id).map(\.head)
        _ = try await mine.author(
            [.own(collection: name, fields: ["title": .text("kept")])], in: pair.id,
            wallTime: now)
        #expect(try await Dump(mine).lines.count == 2)
        let commits = try await mine.eraseOwn(
            in: pair.id, through: heads, wallTime: now)
        #expect(commits.count == 1)
        // My note began with an erased batch; the later ones wait for a beginning.
        #expect(try await Dump(mine).lines.count == 1)
        let again = try await mine.eraseOwn(
            in: pair.id, through: heads, wallTime: now)
        #expect(again.isEmpty)
    }

    // MARK: Erases that arrive

    /// Returns a note of the first device and an erase of it by the second.
    private func noteAndErase() throws -> (note: Author, erase: Author) {
        var (one, two) = (Author(me.devices[0], in: pair), Author(me.devices[1], in: pair))
        let note = one.create(1)
        let batch = try one.write(
            [note.operation, .set(note.entity, "title", .text("gone"))], at: now, salt: salt)
        try two.write([.erase(batch)], at: now + .milliseconds(1))
        return (one, two)
    }

    @Test func `an erase counts whether it arrives before its batch or after`() async throws {
        let (note, erase) = try noteAndErase()
        for order in [[note, erase], [erase, note]] {
            for isTogether in [true, false] {
                let replica = try await replica()
                if isTogether {
                    try await replica.merge(order)
                } else {
                    for author in order { try await replica.merge([author]) }
                }
                #expect(try await Dump(replica).lines.isEmpty)
                let run = try await replica.runs(
                    in: pair.id, log: note.log, after: 0, bytesMax: 4096)
                #expect(run?.batches.map(\.body) == [nil])
                #expect(try await replica.summary(pair)?.missing == 0)
            }
        }
    }

    @Test func `an erase dated ahead waits with its batch`() async throws {
        let (note, _) = try noteAndErase()
        var ahead = Author(me.devices[1], in: pair)
        let day = Duration.seconds(24 * 60 * 60)
        try ahead.write([.erase(note.batches[0])], at: now + day + .milliseconds(1))
        let replica = try await replica()
        try await replica.merge([note, ahead])
        #expect(try await Dump(replica).lines.count == 1)
        _ = try await replica.releaseDue(wallTime: now + .milliseconds(1))
        #expect(try await Dump(replica).lines.isEmpty)
    }

    @Test func `a held batch that is erased never takes effect`() async throws {
        let day = Duration.seconds(24 * 60 * 60)
        var (one, two) = (Author(me.devices[0], in: pair), Author(me.devices[1], in: pair))
        let note = one.create(1)
        let batch = try one.write([note.operation], at: now + day + .milliseconds(1), salt: salt)
        try two.write([.erase(batch)], at: now + .milliseconds(1))
        let replica = try await replica()
        try await replica.merge([one, two])
        #expect(try await replica.summary(pair)?.held == 1)
        #expect(try await replica.releaseDue(wallTime: now + .milliseconds(1)).isEmpty)
        #expect(try await Dump(replica).lines.isEmpty)
        #expect(try await replica.summary(pair)?.held == 0)
    }

    /// Merges a batch of one author and an erase of it by another, and returns whether the batch
    /// still counts.
    private func remains(
        _ operations: (Author) -> [Operation], salt: Bytes16?, of key: Someone,
        erasedBy eraser: Someone
    ) async throws -> Bool {
        var one = Author(key.key, in: pair)
        let batch = try one.write(operations(one), at: now, salt: salt)
        var other = eraser.device == key.device ? one : Author(eraser.key, in: pair)
        try other.write([.erase(batch)], at: now + .milliseconds(1))
        let replica = try await replica()
        try await replica.merge(eraser.device == key.device ? [other] : [other, one])
        let run = try await replica.runs(in: pair.id, log: one.log, after: 0, bytesMax: 4096)
        return run?.batches.first?.body != nil
    }

    @Test func `an erase of another person's batch changes nothing`() async throws {
        let create: (Author) -> [Operation] = { [$0.create(1).operation] }
        #expect(try await remains(create, salt: salt, of: me, erasedBy: mate))
        #expect(try await !remains(create, salt: salt, of: me, erasedBy: me))
    }

    @Test func `an erase of a batch without salt changes nothing`() async throws {
        let create: (Author) -> [Operation] = { [$0.create(1).operation] }
        #expect(try await remains(create, salt: nil, of: me, erasedBy: me))
    }

    @Test func `an erase of a batch with a control operation changes nothing`() async throws {
        let accept = Operation(collection: .control, entity: .control, action: .accept)
        let create: (Author) -> [Operation] = { [$0.create(1).operation, accept] }
        #expect(try await remains(create, salt: salt, of: me, erasedBy: me))
    }

    @Test func `an erase is never erased`() async throws {
        let (note, erase) = try noteAndErase()
        var again = erase
        try again.write([.erase(erase.batches[0])], at: now + .milliseconds(2), salt: salt)
        let replica = try await replica()
        try await replica.merge([note, again])
        #expect(try await Dump(replica).lines.isEmpty)
        let run = try await replica.runs(in: pair.id, log: again.log, after: 0, bytesMax: 4096)
        #expect(run?.batches.allSatisfy { $0.body != nil } == true)
    }

    @Test func `an erase that names a batch with another hash changes nothing`()
        async throws
    {
        let (note, _) = try noteAndErase()
        var two = Author(me.devices[1], in: pair)
        let name = BatchName(log: note.log, number: 1, hash: BatchHash(raw: .zero))
        try two.write(
            [Operation(collection: .control, entity: .control, action: .erase(name))],
            at: now + .milliseconds(1))
        let replica = try await replica()
        try await replica.merge([note, two])
        #expect(try await Dump(replica).lines.count == 1)
    }

    // MARK: Missing bodies

    @Test func `a missing body is counted, and stored when it arrives`() async throws {
        var author = Author(me.key, in: pair)
        let note = author.create(1)
        try author.write([note.operation], at: now, salt: salt)
        let second = try author.write(
            [.set(note.entity, "title", .text("here"))], at: now + .milliseconds(1), salt: salt)
        try author.write([.set(note.entity, "done", .boolean(true))], at: now + .milliseconds(2))
        let replica = try await replica()
        let short = author.run(0..<3) { $0.hash == second.hash }
        _ = try await replica.merge([(pair.id, short)], wallTime: now)
        #expect(try await replica.summary(pair)?.missing == 1)
        #expect(try await replica.note(note.entity)?.text("title") == nil)
        let asked = try await replica.reachesBeforeMissing(in: pair.id)
        #expect(
            asked == [LogHead(log: author.log, number: 1, hash: author.batches[0].hash)])

        // A peer that misses it too changes nothing.
        _ = try await replica.merge([(pair.id, short)], wallTime: now)
        #expect(try await replica.summary(pair)?.missing == 1)
        _ = try await replica.merge([(pair.id, author.run(1..<3))], wallTime: now)
        #expect(try await replica.summary(pair)?.missing == 0)
        #expect(try await replica.note(note.entity)?.text("title") == "here")
        #expect(try await replica.reachesBeforeMissing(in: pair.id).isEmpty)
        #expect(try await replica.damagedBatches(in: pair.id).isEmpty)
    }

    @Test func `a batch whose body shows that it cannot be erased counts again`() async throws {
        var author = Author(me.key, in: pair)
        let note = author.create(1)
        let batch = try author.write([note.operation], at: now)
        try author.write([.erase(batch)], at: now + .milliseconds(1))
        let replica = try await replica()
        let short = author.run(0..<2) { $0.hash == batch.hash }
        _ = try await replica.merge([(pair.id, short)], wallTime: now)
        #expect(try await Dump(replica).lines.isEmpty)
        _ = try await replica.merge([(pair.id, author.run)], wallTime: now)
        #expect(try await Dump(replica).lines.count == 1)
    }

    @Test func `a control operation whose body arrives late counts after a restart too`()
        async throws
    {
        let group = SpaceDescriptor.group(owner: me.person, nonce: .zero)
        var author = Author(me.key, in: group)
        let grant = try author.write([Operation(control: .grant(mate.person, .writer))], at: now)
        let home = try homes.make()
        let first = try await home.replica(of: mate.key, knowing: [me, mate], in: [group])
        let bare = author.run(0..<1) { $0.hash == grant.hash }
        _ = try await first.merge([(group.id, bare)], wallTime: now)
        #expect(await first.members(in: group.id).map(\.person) == [me.person])
        try await first.merge([author])
        let members = await first.members(in: group.id)
        #expect(Set(members.map(\.person)) == [me.person, mate.person])
        try await first.close()
        let again = try home.replica(mate.key)
        #expect(await again.members(in: group.id) == members)
        try await again.rebuild(group.id)
        #expect(await again.members(in: group.id) == members)
    }

    @Test func `an erased body with a wrong hash is refused`() async throws {
        let (note, _) = try noteAndErase()
        let forged = Run(
            log: note.log, firstNumber: 1, epoch: 0,
            batches: [
                Run.Link(stamp: note.batches[0].header.stamp, content: .erased(.zero))
            ], signature: note.signatures[0])
        let replica = try await replica()
        let outcome = try await replica.merge([(pair.id, forged)], wallTime: now)
        #expect(outcome.faults == [0: .signatureMismatch])
        #expect(try await replica.summary(pair)?.batches == 0)
    }

    @Test func `erased batches survive a restart`() async throws {
        let (note, erase) = try noteAndErase()
        let home = try homes.make()
        let first = try await home.replica(of: mate.key, knowing: [me, mate], in: [pair])
        try await first.merge([erase])
        try await first.close()
        let second = try await home.replica(of: mate.key, knowing: [me, mate], in: [pair])
        try await second.merge([note])
        #expect(try await Dump(second).lines.isEmpty)
    }
}

extension RecordCollection {
    /// Records that are erased one by one, with an index and a set.
    static let memo = RecordCollection(
        "test.memo/1", table: "memo", spaces: [.own, .card, .pair], indexes: [["text"]],
        isErasable: true,
        fields: [
            Field(1, "text", .text(bytesMax: 32_768)),
            Field(2, "tags", .text(bytesMax: 20_000), merge: .addWinsSet),
            Field(3, "original", .text(bytesMax: 20_000), merge: .append),
        ])
}
