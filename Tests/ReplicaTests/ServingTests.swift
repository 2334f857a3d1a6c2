import Records
import Replica
import Testing

/// A replica passes on exactly the signed bytes.
struct ServingTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    private func log(count: Int) throws -> Author {
        var author = Author(mate.key, in: pair)
        for index in 0..<count {
            let note = author.create(UInt8(index))
            try author.write(
                [note.operation, .set(note.entity, "title", .text("note \(index)"))],
                at: now + .milliseconds(index))
        }
        return author
    }

    private func replica(_ home: Home) async throws -> Replica {
        try await home.replica(of: me.key, knowing: [me, mate], in: [pair])
    }

    /// Returns the length of a run on the wire, if the target knows nothing.
    private func encodedCount(_ run: Run) -> Int {
        var bytes: [UInt8] = []
        run.encode(into: &bytes, sender: me.device)
        return bytes.count
    }

    @Test func `runs end at a batch with a stored signature`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let author = try log(count: 5)
        _ = try await replica.merge(
            [(pair.id, author.run(0..<3)), (pair.id, author.run(3..<5))], wallTime: now)
        let all = try await replica.runs(
            in: pair.id, log: author.log, after: 0, bytesMax: 65_536)
        #expect(all == author.run(0..<5))
        let first = try await replica.runs(in: pair.id, log: author.log, after: 0, bytesMax: 1)
        #expect(first == author.run(0..<3))
        let middle = try await replica.runs(in: pair.id, log: author.log, after: 1, bytesMax: 1)
        #expect(middle == author.run(1..<3))
        let end = try await replica.runs(in: pair.id, log: author.log, after: 5, bytesMax: 65_536)
        #expect(end == nil)
    }

    @Test(arguments: [600, 1000, 2500])
    func `no run is longer than its limit`(bytesMax: Int) async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let author = try log(count: 60)
        for index in 0..<60 {
            _ = try await replica.merge(
                [(pair.id, author.run(index..<index + 1))], wallTime: now)
        }
        var served: [Run.Link] = []
        while let run = try await replica.runs(
            in: pair.id, log: author.log, after: UInt64(served.count), bytesMax: bytesMax)
        {
            #expect(encodedCount(run) <= bytesMax)
            #expect(run.batches.count > 1)
            served += run.batches
        }
        #expect(served == author.run.batches)
    }

    @Test func `a third replica accepts what a second passes on`() async throws {
        let (second, third) = (try homes.make(), try homes.make())
        let (sender, target) = (try await replica(second), try await replica(third))
        let author = try log(count: 7)
        try await sender.merge([author])
        let run = try await sender.runs(in: pair.id, log: author.log, after: 0, bytesMax: 65_536)
        let outcome = try await target.merge([(pair.id, try #require(run))], wallTime: now)
        #expect(outcome.faults.isEmpty)
        #expect(await sender.digest(of: pair.id) == target.digest(of: pair.id))
        #expect(try await Dump(sender) == Dump(target))
    }

    @Test func `each of the device's own batches is sent with its signature`() async throws {
        let (home, other) = (try homes.make(), try homes.make())
        let replica = try await replica(home)
        for round in 0..<4 {
            _ = try await replica.author(
                [.own(collection: "test.note/1", fields: ["title": .text("\(round)")])],
                in: pair.id, wallTime: now)
        }
        let log = LogName(device: me.device)
        let run = try await replica.runs(in: pair.id, log: log, after: 1, bytesMax: 1)
        #expect(run?.batches.count == 1)
        let target = try await other.replica(of: mate.key, knowing: [me, mate], in: [pair])
        while let next = try await replica.runs(
            in: pair.id, log: log, after: await target.heads(in: pair.id).first?.high ?? 0,
            bytesMax: 400)
        {
            #expect(try await target.merge([(pair.id, next)], wallTime: now).faults.isEmpty)
        }
        #expect(try await Dump(replica) == Dump(target))
    }

    @Test func `unknown collections and fields are stored, passed on, and shown once declared`()
        async throws
    {
        let old = RecordCollection(
            "test.other/1", table: "other", spaces: [.own], fields: [.init(1, "a", .boolean)])
        let home = try homes.make()
        var author = Author(mate.key, in: pair)
        let note = author.create(1)
        try author.write(
            [
                note.operation, .set(note.entity, "title", .text("kept")),
                .note(note.entity, .set(field: 4000, .text("a field of a later version"))),
            ], at: now)
        do {
            let replica = try await home.replica(
                of: me.key, knowing: [me, mate], in: [pair], collections: [old])
            #expect(try await replica.merge([author]).faults.isEmpty)
            #expect(try await replica.summary(pair)?.void == 0)
            let run = try await replica.runs(
                in: pair.id, log: author.log, after: 0, bytesMax: 4096)
            #expect(run == author.run)
        }
        let newer = try home.replica(me.key, collections: [old, .note])
        #expect(try await newer.note(note.entity)?["title"] == .text("kept"))
        #expect(try await newer.summary(pair)?.void == 0)
    }

    @Test func `a peer's acknowledgements are readable and never decrease`() async throws {
        let home = try homes.make()
        let replica = try await replica(home)
        let author = try log(count: 3)
        try await replica.merge([author])
        let heads = author.batches.map {
            LogHead(log: author.log, number: $0.header.number, hash: $0.hash)
        }
        let foreign = LogHead(log: author.log, number: 3, hash: heads[0].hash)
        func acknowledged() async throws -> [Int64?] {
            try await replica.read(
                "SELECT number FROM waggle_acknowledged WHERE device = ? AND person = ?",
                [.bytes(mate.device.bytes), .bytes(mate.person.bytes)], allowedTables: nil
            ).map { $0.integer("number") }
        }
        try await replica.recordAcknowledgement(
            of: mate.device, in: pair.id, reaches: [LogReach(foreign)])
        #expect(try await acknowledged() == [])
        try await replica.recordAcknowledgement(
            of: mate.device, in: pair.id, reaches: [LogReach(heads[1])])
        #expect(try await acknowledged() == [2])
        try await replica.recordAcknowledgement(
            of: mate.device, in: pair.id, reaches: [LogReach(heads[0])])
        #expect(try await acknowledged() == [2])
        try await replica.recordAcknowledgement(
            of: mate.device, in: pair.id, reaches: heads.map(LogReach.init))
        #expect(try await acknowledged() == [3])
    }

    @Test func `the last own batch that a person holds follows from acknowledgements`() async throws
    {
        let replica = try await replica(try homes.make())
        // Of another author, so it does not count.
        try await replica.merge([try log(count: 3)])
        for round in 0..<2 {
            _ = try await replica.author(
                [.own(collection: "test.note/1", fields: ["title": .text("\(round)")])],
                in: pair.id, wallTime: now)
        }
        #expect(try await replica.heldNumber(of: mate.person, in: pair.id) == 0)
        for head in await replica.heads(in: pair.id) {
            let hash = try #require(
                await replica.hash(of: head.log, number: head.high, in: pair.id))
            let held = LogHead(log: head.log, number: head.high, hash: hash)
            try await replica.recordAcknowledgement(
                of: mate.device, in: pair.id, reaches: [LogReach(held)])
        }
        #expect(try await replica.heldNumber(of: mate.person, in: pair.id) == 2)
        #expect(try await replica.heldNumber(of: me.person, in: pair.id) == 0)
        #expect(try await replica.heldNumber(of: mate.person, in: SpaceID(raw: .zero)) == 0)
    }

    @Test func `acknowledgements from before another epoch, or before the first, are forgotten`()
        async throws
    {
        let replica = try await replica(try homes.make())
        let author = try log(count: 3)
        try await replica.merge([author])
        let head = LogHead(log: author.log, number: 3, hash: author.batches[2].hash)
        func acknowledge() async throws {
            try await replica.recordAcknowledgement(
                of: mate.device, in: pair.id, reaches: [LogReach(head)])
        }
        func acknowledged() async throws -> Int {
            try await replica.read(
                "SELECT number FROM waggle_acknowledged WHERE device = ?",
                [.bytes(mate.device.bytes)], allowedTables: nil
            ).count
        }
        let epochs = [1, 2].map { Bytes16([UInt8](repeating: $0, count: 16)) ?? .zero }
        try await acknowledge()
        #expect(try await !replica.recordEpoch(epochs[0], of: mate.device))
        #expect(try await acknowledged() == 0)
        try await acknowledge()
        #expect(try await !replica.recordEpoch(epochs[0], of: mate.device))
        #expect(try await acknowledged() == 1)
        #expect(try await replica.recordEpoch(epochs[1], of: mate.device))
        #expect(try await acknowledged() == 0)
    }
}
