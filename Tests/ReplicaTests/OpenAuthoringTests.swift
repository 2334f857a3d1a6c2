import Identity
import Records
import Replica
import TestSupport
import Testing

/// Own records in an open space: each edit writes the record anew, and the own log goes on.
struct OpenAuthoringTests {
    private let homes = Homes()
    private let town = OpenTown()
    private let me: Someone
    private let ben: Someone

    init() throws {
        me = try Someone(seed: 551, deviceCount: 2)
        ben = try Someone(seed: 552)
    }

    private func replica(_ key: DeviceKey? = nil, _ home: Home? = nil) async throws -> Replica {
        try await town.replica(of: key ?? me.key, knowing: [me], in: home ?? homes.make())
    }

    private func create(
        _ replica: Replica, _ number: UInt64 = 1, at time: Timestamp = now,
        fields: [String: Value] = [:]
    ) async throws -> EntityID {
        let all = fields.merging(["title": .text("title")]) { first, _ in first }
        let commit = try await replica.author(
            [.create(collection: "test.post/1", nonce: Poster.nonce(number), fields: all)],
            in: town.id, wallTime: time)
        return try #require(commit.created.first)
    }

    /// Passes all of the one's own log to the other.
    @discardableResult
    private func pass(
        _ one: Replica, to other: Replica, at time: Timestamp = now
    ) async throws -> ReceivedPiece? {
        let log = LogName(device: one.device)
        let ask = LogAsk(log: log, position: .after(0, prefix: 0), bytesMax: 1 << 17)
        guard let answer = try await one.passing(ask, in: town.id) else { return nil }
        return try await other.receive(
            answer.passed, in: town.id, from: me.person, wallTime: time)
    }

    private func row(_ replica: Replica, _ entity: EntityID) async throws -> Row? {
        try await replica.read(
            "SELECT * FROM post WHERE entity = ?", [.bytes(entity.bytes)], allowedTables: nil
        ).first
    }

    private func tags(_ replica: Replica) async throws -> [String] {
        try await replica.read("SELECT element FROM post_tags ORDER BY 1", allowedTables: nil)
            .compactMap { $0.text("element") }
    }

    @Test func `an edit on a device whose clock is slow follows what the person wrote before`()
        async throws
    {
        let (replica, second) = (try await replica(), try await self.replica(me.devices[1]))
        let entity = try await create(replica, at: now + .seconds(100))
        try await pass(replica, to: second)
        _ = try await second.author(
            [
                .set(collection: "test.post/1", entity: entity, fields: ["title": .text("edited")])
            ], in: town.id, wallTime: now)
        try await pass(second, to: replica, at: now + .seconds(100))
        for replica in [replica, second] { #expect(try await replica.titles() == ["edited"]) }
    }

    @Test func `an edit writes all of its record anew, so it outlives its first batch`()
        async throws
    {
        let (replica, other) = (try await replica(), try await self.replica(ben.key))
        let entity = try await create(
            replica,
            fields: [
                "first": .text("first"), "once": .text("once"), "done": .boolean(true),
            ])
        for (day, tag) in ["a", "b"].enumerated() {
            _ = try await replica.author(
                [
                    .add(
                        collection: "test.post/1", entity: entity, field: "tags", .text(tag))
                ], in: town.id, wallTime: now + .days(day))
        }
        _ = try await replica.author(
            [
                .remove(collection: "test.post/1", entity: entity, field: "tags", .text("a")),
                .set(
                    collection: "test.post/1", entity: entity, fields: ["title": .text("edited")]),
                .set(
                    collection: "test.post/1", entity: entity, fields: ["first": .text("late")]),
            ], in: town.id, wallTime: now + .days(20))
        let before = try #require(try await row(replica, entity))
        for wall in [now + .days(20), now + .days(45)] {
            for one in [replica, other] {
                try await pass(replica, to: other, at: wall)
                try await one.prune(wallTime: wall)
                let shown = try #require(try await row(one, entity))
                #expect(shown.text("title") == "edited")
                #expect(shown.text("first") == "first")
                #expect(shown.text("once") == "once")
                #expect(shown.integer("done") == 1)
                #expect(try await tags(one) == ["b"])
            }
        }
        #expect(before.text("title") == "edited")
        #expect(try await Dump(replica, .post) == Dump(other, .post))
        try await replica.prune(wallTime: now + .days(51))
        #expect(try await row(replica, entity) == nil)
    }

    @Test func `renewing is an edit without a change, by any device of the person`() async throws {
        let (phone, laptop) = (try await replica(), try await replica(me.devices[1]))
        let entity = try await create(phone, fields: ["once": .text("once")])
        try await pass(phone, to: laptop)
        _ = try await laptop.author(
            [.set(collection: "test.post/1", entity: entity, fields: [:])], in: town.id,
            wallTime: now + .days(29))
        let late = now + .days(31)
        try await pass(laptop, to: phone, at: now + .days(29))
        for one in [phone, laptop] {
            try await one.prune(wallTime: late)
            let shown = try #require(try await row(one, entity))
            #expect(shown.text("title") == "title" && shown.text("once") == "once")
        }
        #expect(try await Dump(phone, .post) == Dump(laptop, .post))
    }

    @Test func `only the creator writes a record, also by a changed program`() async throws {
        let (replica, other) = (try await replica(), try await self.replica(ben.key))
        let entity = try await create(replica)
        try await pass(replica, to: other)
        try await other.learn(ben.record)
        await #expect(throws: EditFault.notTheWriter(field: "title", .creator)) {
            _ = try await other.author(
                [.set(collection: "test.post/1", entity: entity, fields: ["title": .text("x")])],
                in: town.id, wallTime: now)
        }
        var poster = Poster(ben, in: town)
        try poster.write(
            [
                Operation(
                    collection: RecordCollection.post.id, entity: entity,
                    action: .set(field: 1, .text("forged"))),
                Operation(
                    collection: RecordCollection.post.id, entity: entity,
                    action: .create(nonce: Poster.nonce(1))),
            ], at: now)
        try await replica.receive(poster.piece, from: ben, in: town)
        #expect(try await replica.titles() == ["title"])
        #expect(try await replica.summary(town.space)?.void == 2)
        #expect(try await replica.summary(town.space)?.waiting == 0)
    }

    @Test func `deleting erases every batch of a record everywhere`() async throws {
        let (replica, other) = (try await replica(), try await self.replica(ben.key))
        let entity = try await create(replica)
        for number in 0..<3 {
            _ = try await replica.author(
                [
                    .set(
                        collection: "test.post/1", entity: entity,
                        fields: ["title": .text("<version-\(number)>")])
                ], in: town.id, wallTime: now)
        }
        try await pass(replica, to: other)
        _ = try await replica.author(
            [.erase(collection: "test.post/1", entity: entity)], in: town.id, wallTime: now)
        try await pass(replica, to: other)
        for one in [replica, other] {
            #expect(try await one.titles().isEmpty)
            let bodies = try await one.read(
                "SELECT count(*) AS count FROM batch WHERE length(body) = 33", allowedTables: nil)
            #expect(bodies.first?.integer("count") == 4)
        }
    }

    @Test func `the own log goes on after everything expired, and after leaving and joining`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(nil, home)
        for number in 0..<3 { _ = try await create(replica, UInt64(number)) }
        try await replica.prune(wallTime: now + .days(31))
        #expect(replica.offer(of: town.id)?.logs == [])
        _ = try await create(replica, 10, at: now + .days(31))
        let log = LogName(device: replica.device)
        #expect(replica.offered(log, in: town).map { $0.low...$0.high } == 4...4)

        #expect(try await replica.leave([town.id]) == [town.id])
        #expect(await replica.descriptor(of: town.id) == nil)
        for table in ["batch", "log", "space", "post", "allowance"] {
            let rows = try await replica.read(
                "SELECT count(*) AS count FROM \(table)", allowedTables: nil)
            #expect(rows.first?.integer("count") == 0)
        }
        try await replica.close()

        let again = try await self.replica(nil, home)
        #expect(again.offer(of: town.id)?.logs == [])
        _ = try await create(again, 11, at: now + .days(31))
        #expect(again.offered(log, in: town).map { $0.low...$0.high } == 5...5)
        #expect(try await again.damagedBatches(in: town.id).isEmpty)
        // A restart with an empty log keeps its end too.
        try await again.prune(wallTime: now + .days(80))
        try await again.close()
        let last = try await self.replica(nil, home)
        _ = try await create(last, 12, at: now + .days(80))
        #expect(last.offered(log, in: town).map { $0.low...$0.high } == 6...6)
    }

    @Test func `after joining again, own batches come back from others before the new ones`()
        async throws
    {
        let (replica, other) = (try await replica(), try await self.replica(ben.key))
        for number in 0..<3 { _ = try await create(replica, UInt64(number)) }
        try await pass(replica, to: other)
        try await replica.leave([town.id])
        try await replica.open(town.space)
        await replica.retain([])
        _ = try await create(replica, 9)
        let log = LogName(device: replica.device)
        let ask = LogAsk(log: log, position: .before(4), bytesMax: 1 << 17)
        let answer = try #require(try await other.passing(ask, in: town.id))
        try await replica.receive(answer.passed, from: ben, in: town)
        #expect(replica.offered(log, in: town).map { $0.low...$0.high } == 1...4)
        #expect(try await replica.titles().count == 4)
        // They also come back before anything was written.
        try await replica.leave([town.id])
        try await replica.open(town.space)
        try await replica.receive(answer.passed, from: ben, in: town)
        #expect(
            try await replica.receive(answer.passed, from: ben, in: town).result
                == .refused(.gap(expected: 5, found: 1)))
    }

    @Test func `leaving forgets the authors whom nothing else names`() async throws {
        let replica = try await replica()
        var poster = Poster(ben, in: town)
        try poster.post("x", at: now)
        try await replica.receive(poster.piece, from: ben, in: town)
        #expect(await replica.isBrought(ben.person))
        try await replica.leave([town.id])
        #expect(await replica.personRecord(ben.person) == nil)
        // A person who was met meanwhile stays.
        try await replica.open(town.space)
        try await replica.receive(poster.piece, from: ben, in: town)
        try await replica.learn(ben.record)
        #expect(await !replica.isBrought(ben.person))
        try await replica.leave([town.id])
        #expect(await replica.personRecord(ben.person) != nil)
    }

    @Test func `only spaces that are open are left`() async throws {
        let replica = try await replica()
        try await replica.open(.own(me.person))
        #expect(try await replica.leave([SpaceDescriptor.own(me.person).id]).isEmpty)
        #expect(await replica.descriptor(of: SpaceDescriptor.own(me.person).id) != nil)
    }

    @Test func `a declaration that cannot work in an open space is refused`() {
        func declare(_ field: RecordCollection.Field, isErasable: Bool = true) throws {
            let collection = RecordCollection(
                "test.bad/1", table: "bad", spaces: [.open], isErasable: isErasable,
                fields: [field])
            _ = try homes.make().replica(me.key, collections: [collection])
        }
        #expect(throws: ReplicaFault.self) {
            try declare(.init(1, "text", .text(bytesMax: 10)), isErasable: false)
        }
        #expect(throws: ReplicaFault.self) {
            try declare(.init(1, "text", .text(bytesMax: 10), writer: .anyMember))
        }
        #expect(throws: ReplicaFault.self) {
            try declare(.init(1, "number", .integer(0...9), merge: .counter))
        }
        #expect(throws: Never.self) { try declare(.init(1, "text", .text(bytesMax: 10))) }
    }
}
