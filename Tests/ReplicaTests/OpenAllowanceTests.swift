import Identity
import Records
import TestSupport
import Testing

@testable import Replica

/// The amount that a replica stores of one person per day in an open space.
struct OpenAllowanceTests {
    private let homes = Homes()
    private let town = OpenTown()
    private let me: Someone
    private let ben: Someone
    private let link: Someone
    /// The first moment of a UTC day.
    private let midnight = Timestamp(milliseconds: now.milliseconds / 86_400_000 * 86_400_000)

    init() throws {
        me = try Someone(seed: 521)
        ben = try Someone(seed: 522)
        link = try Someone(seed: 523)
    }

    private func replica() async throws -> Replica {
        try await town.replica(of: me.key, knowing: [me], in: homes.make())
    }

    @Test(arguments: [(RecordCollection.post, 20), (.comment, 200)])
    func `as many records a day are stored as the collection admits, and not one more`(
        collection: RecordCollection, limit: Int
    ) async throws {
        let replica = try await replica()
        var poster = Poster(ben, in: town)
        for number in 0...limit { try poster.post("\(number)", at: midnight, in: collection) }
        let noon = midnight + .seconds(12 * 60 * 60)
        guard
            case .stored = try await replica.receive(
                poster.piece(1...limit), from: link, in: town, at: noon
            ).result
        else {
            Issue.record("what a day admits was not stored")
            return
        }
        let over = poster.piece(limit + 1...limit + 1)
        let tomorrow = midnight + .days(1)
        #expect(
            try await replica.receive(over, from: link, in: town, at: noon).result
                == .overAllowance(until: tomorrow))
        #expect(
            await replica.use(of: town.id, wallTime: noon)?.overAllowance
                == [OpenUse.OverAllowance(log: poster.log, person: ben.person, until: tomorrow)])
        let early = tomorrow - .milliseconds(1)
        #expect(
            try await replica.receive(over, from: link, in: town, at: early).result
                == .overAllowance(until: tomorrow))
        guard
            case .stored = try await replica.receive(over, from: link, in: town, at: tomorrow)
                .result
        else {
            Issue.record("a new day did not admit more")
            return
        }
        #expect(await replica.use(of: town.id, wallTime: tomorrow)?.overAllowance == [])
    }

    @Test func `edits of known records count as bytes only`() async throws {
        let replica = try await replica()
        var poster = Poster(ben, in: town)
        for number in 0..<20 { try poster.post("\(number)", at: midnight, nonce: UInt64(number)) }
        for number in 0..<20 { try poster.post("edited", at: midnight, nonce: UInt64(number)) }
        try await replica.receive(poster.piece, from: link, in: town, at: midnight)
        #expect(Set(try await replica.titles()) == ["edited"])
        #expect(try await replica.titles().count == 20)
    }

    @Test func `64 KiB a day are stored to the byte`() async throws {
        var poster = Poster(ben, in: town)
        try poster.post(String(repeating: "x", count: 30_000), at: midnight)
        let overhead = poster.author.batches[0].content.storedBytes - 30_000
        // Two batches whose bytes are exactly a day's, and one byte more in another log.
        let rest = Limits.openDayBytesMax - 2 * overhead - 30_000
        for (surplus, isStored) in [(0, true), (1, false)] {
            let replica = try await replica()
            var poster = Poster(ben, in: town)
            try poster.post(String(repeating: "x", count: 30_000), at: midnight)
            try poster.write(blob(rest + surplus, overhead, poster), at: midnight)
            let bytes = poster.author.batches.reduce(0) { $0 + $1.content.storedBytes }
            #expect(bytes == Limits.openDayBytesMax + surplus)
            let result = try await replica.receive(
                poster.piece, from: link, in: town, at: midnight
            ).result
            if isStored {
                #expect(result == .stored(try #require(replica.offered(poster.log, in: town))))
            } else {
                #expect(result == .overAllowance(until: midnight + .days(1)))
                #expect(replica.offer(of: town.id)?.logs == [])
            }
        }
    }

    /// Returns writes of a post that has as many bytes in two fields as one title could not have.
    private func blob(_ bytes: Int, _ overhead: Int, _ poster: Poster) -> [Operation] {
        let collection = CollectionID(name: "test.unknown/1")
        let entity = EntityID(raw: Poster.nonce(7))
        var filled = bytes + overhead
        // The size of the body with two values of a given length is found by trying.
        while true {
            let operations = [filled / 2, filled - filled / 2].enumerated().map {
                Operation(
                    collection: collection, entity: entity,
                    action: .set(
                        field: UInt64($0 + 1), .bytes([UInt8](repeating: 1, count: $1))))
            }
            let size = BatchContent.body(BatchBody(operations, salt: .zero)).storedBytes
            guard size > bytes + overhead else { return operations }
            filled -= 1
        }
    }

    @Test func `days before today that are not used up admit more, each day once`() async throws {
        let replica = try await replica()
        var poster = Poster(ben, in: town)
        // 45 posts on one day: 20 take from that day, 20 from the next, 5 from the third.
        for number in 0..<45 { try poster.post("\(number)", at: midnight) }
        let third = midnight + .days(2)
        #expect(
            try await replica.receive(poster.piece, from: link, in: town, at: midnight).result
                == .overAllowance(until: third))
        #expect(
            try await replica.receive(
                poster.piece, from: link, in: town, at: third - .milliseconds(1)
            ).result == .overAllowance(until: third))
        try await replica.receive(poster.piece, from: link, in: town, at: third)
        #expect(try await replica.titles().count == 45)
        // 15 more of the third day are admitted, and no further one.
        var more = poster
        for number in 0..<16 { try more.post("more \(number)", at: third) }
        try await replica.receive(more.piece(46...60), from: link, in: town, at: third)
        #expect(
            try await replica.receive(more.piece(61...61), from: link, in: town, at: third).result
                == .overAllowance(until: midnight + .days(3)))
    }

    @Test func `a newcomer reads a month of an honest author at once`() async throws {
        let replica = try await replica()
        var poster = Poster(ben, in: town)
        for day in 0..<30 {
            for number in 0..<20 {
                try poster.post("\(day) \(number)", at: midnight + .days(day))
            }
        }
        let wall = midnight + .days(29)
        try await replica.receive(poster.piece, from: link, in: town, at: wall)
        #expect(try await replica.titles().count == 600)
    }

    @Test func `all devices of a person count together`() async throws {
        let replica = try await replica()
        let pair = try Someone(seed: 524, deviceCount: 2)
        var posters = pair.devices.map { Poster(pair, in: town, with: $0) }
        for number in 0..<11 {
            for index in 0...1 {
                try posters[index].post("x", at: midnight, nonce: UInt64(2 * number + index))
            }
        }
        try await replica.receive(posters[0].piece, from: link, in: town, at: midnight)
        #expect(
            try await replica.receive(posters[1].piece, from: link, in: town, at: midnight).result
                == .overAllowance(until: midnight + .days(1)))
        try await replica.receive(posters[1].piece(1...9), from: link, in: town, at: midnight)
        #expect(try await replica.titles().count == 20)
    }

    @Test func `a fork gives its author no second allowance, and its sides take their link's room`()
        async throws
    {
        let replica = try await replica()
        var one = Poster(ben, in: town)
        for number in 0..<15 { try one.post("one \(number)", at: midnight) }
        var other = one.forking(after: 4)
        for number in 0..<6 { try other.post("other \(number)", at: midnight) }
        try await replica.receive(one.piece, from: link, in: town, at: midnight)
        #expect(
            try await replica.receive(other.piece, from: link, in: town, at: midnight).result
                == .overAllowance(until: midnight + .days(1)))
        try await replica.receive(other.piece(1...9), from: link, in: town, at: midnight)
        #expect(try await replica.titles().count == 20)
        let use = try #require(await replica.use(of: town.id, wallTime: midnight))
        // What the sides share, and each of them, is a log.
        #expect((use.records, use.unknownLogs) == (20, 3))
        let share = try #require(use.bringers[link.person])
        #expect((share.records, share.logs, share.bytes) == (20, 3, use.bytes))
        // Twenty headers and one record at least.
        #expect(use.bytes > 20 * 160 + ben.record.encoded.count)
    }

    @Test func `an erase is read although the day is used up, from a reserve that ends too`()
        async throws
    {
        let replica = try await replica()
        var poster = Poster(ben, in: town)
        try poster.write(blob(Limits.openDayBytesMax - 400, 0, poster), at: midnight)
        try await replica.receive(poster.piece, from: link, in: town, at: midnight)
        var stored = 1
        var result: ReceivedPiece.Result?
        for _ in 0..<100 {
            try poster.write(
                (0..<8).map { _ in .erase(poster.author.batches[0]) }, at: midnight)
            result =
                try await replica.receive(
                    poster.piece(stored + 1...stored + 1), from: link, in: town, at: midnight
                ).result
            guard case .stored = result else { break }
            stored += 1
        }
        #expect(result == .overAllowance(until: midnight + .days(1)))
        #expect((10...30).contains(stored))
    }

    @Test func `batches dated over 24 h ahead wait for that time`() async throws {
        let replica = try await replica()
        var poster = Poster(ben, in: town)
        try poster.post("ahead", at: now + Limits.stampAheadMax + .milliseconds(1))
        #expect(
            try await replica.receive(poster.piece, from: link, in: town).result
                == .overAllowance(until: now + .milliseconds(1)))
        try await replica.receive(
            poster.piece, from: link, in: town, at: now + .milliseconds(1))
        #expect(try await replica.titles() == ["ahead"])
        // This person's own batches are not dated ahead because of it.
        let own = try await replica.author(
            [.create(collection: "test.post/1", nonce: .zero, fields: [:])], in: town.id,
            wallTime: now)
        #expect(own.stamp.time == now)
    }

    @Test func `a node refuses its own person's writes over the allowance, but no erase`()
        async throws
    {
        let replica = try await replica()
        func post(_ number: Int, at time: Timestamp) async throws -> EntityID {
            let commit = try await replica.author(
                [
                    .create(
                        collection: "test.post/1", nonce: Poster.nonce(UInt64(number)),
                        fields: ["title": .text("\(number)")])
                ], in: town.id, wallTime: time)
            return try #require(commit.created.first)
        }
        var entities: [EntityID] = []
        for number in 0..<20 { entities.append(try await post(number, at: midnight)) }
        await #expect(throws: BatchFault.ownDayUsed(until: midnight + .days(1))) {
            _ = try await post(20, at: midnight)
        }
        // An edit begins no record.
        _ = try await replica.author(
            [
                .set(
                    collection: "test.post/1", entity: entities[0], fields: ["done": .boolean(true)]
                )
            ],
            in: town.id, wallTime: midnight)
        _ = try await replica.author(
            [.erase(collection: "test.post/1", entity: entities[1])], in: town.id,
            wallTime: midnight)
        #expect(try await replica.titles().count == 19)
        _ = try await post(21, at: midnight + .days(1))
        // Leaving and joining again gives no new day to the own log.
        #expect(try await replica.titles().count == 20)
    }

    @Test func `what is left of a person's day is what their batches do not take`() async throws {
        let replica = try await replica()
        func left(_ time: Timestamp) async throws -> Int? {
            try await replica.dayBytesLeft(in: town.id, wallTime: time)
        }
        #expect(try await left(midnight) == Limits.openDayBytesMax)
        for number in 0..<3 {
            _ = try await replica.author(
                [
                    .create(
                        collection: "test.post/1", nonce: Poster.nonce(UInt64(number)),
                        fields: ["title": .text("\(number)")])
                ], in: town.id, wallTime: midnight)
        }
        let used = try #require(replica.states[town.id]?.bytesByPerson[me.person])
        #expect(used > 3 * Limits.batchRowBytes)
        #expect(try await left(midnight) == Limits.openDayBytesMax - used)
        #expect(try await left(midnight + .days(1)) == Limits.openDayBytesMax)
        #expect(
            try await replica.dayBytesLeft(
                in: SpaceDescriptor.open(name: "elsewhere").id, wallTime: midnight) == nil)
    }

    /// The definition: the first day through which each batch finds room in the order of its days.
    private func chargedPlainly(
        _ costs: [DayLedger.Cost], to ledger: inout DayLedger, today: Int64
    ) -> Int64? {
        for through in today...today + DayLedger.daysMax {
            var after = ledger
            let isCharged = costs.allSatisfy { cost in
                for day in cost.day...max(cost.day, through) {
                    let moved = DayLedger.Cost(
                        day: day, use: cost.use, isReserved: cost.isReserved)
                    guard after.fits(moved) else { continue }
                    after.spend(moved)
                    return true
                }
                return false
            }
            guard isCharged else { continue }
            guard through == today else { return through }
            ledger = after
            return nil
        }
        return today + DayLedger.daysMax
    }

    @Test func `the ledger charges as it is defined, whatever the costs`() {
        var generator = SeededGenerator(seed: 529)
        let collections = ["x", "y"].map { CollectionID(name: $0) }
        var outcomes: Set<Bool> = []
        for _ in 0..<300 {
            var ledger = DayLedger([:], recordsMax: [collections[0]: 3, collections[1]: 9])
            var plain = ledger
            var day: Int64 = 100
            for _ in 0..<6 {
                let costs = (0..<generator.number(1...40)).map { _ in
                    day += generator.chance(10) ? 1 : 0
                    var use = DayLedger.Use(bytes: generator.number(100...9000))
                    if generator.chance(50) {
                        use.records[collections[generator.number(0...1)]] =
                            generator.number(1...2)
                    }
                    return DayLedger.Cost(
                        day: day, use: use, isReserved: generator.chance(20))
                }
                let today = day + Int64(generator.number(0...20))
                let expected = chargedPlainly(costs, to: &plain, today: today)
                outcomes.insert(expected == nil)
                #expect(ledger.charge(costs, today: today) == expected)
                #expect(ledger.days == plain.days)
            }
        }
        #expect(outcomes == [true, false])
    }

    @Test func `thousands of small batches are charged at once`() {
        var ledger = DayLedger([:], recordsMax: [:])
        let costs = (0..<10_000).map { number in
            DayLedger.Cost(day: 0, use: .init(bytes: 180 + number % 2), isReserved: false)
        }
        let clock = ContinuousClock()
        let time = clock.measure { #expect(ledger.charge(costs, today: 30) == nil) }
        // If each looked through those before it, this would take minutes.
        #expect(time < .seconds(20))
    }

    @Test func `what is given back may be taken again, and not more`() {
        let collection = CollectionID(name: "x")
        var ledger = DayLedger([:], recordsMax: [collection: 2])
        let cost = DayLedger.Cost(
            day: 5, use: .init(bytes: 10, records: [collection: 1]), isReserved: false)
        #expect(ledger.charge([cost, cost, cost], today: 6) == nil)
        for _ in 0..<3 { ledger.giveBack(cost) }
        #expect(ledger.days.values.allSatisfy { $0.bytes == 0 && $0.records == [collection: 0] })
        ledger.giveBack(cost)
        #expect(ledger.charge([cost, cost, cost, cost, cost], today: 6) == 7)
        #expect(ledger.charge([cost, cost, cost, cost], today: 6) == nil)
    }

    @Test func `the ledger charges all of a piece or nothing`() {
        let collection = CollectionID(name: "x")
        var ledger = DayLedger([:], recordsMax: [collection: 2])
        func cost(_ day: Int64, records: Int = 1, bytes: Int = 10) -> DayLedger.Cost {
            let use = DayLedger.Use(bytes: bytes, records: [collection: records])
            return DayLedger.Cost(day: day, use: use, isReserved: false)
        }
        let three = [cost(5), cost(5), cost(5)]
        #expect(ledger.charge(three, today: 5) == 6)
        #expect(ledger.days.isEmpty)
        #expect(ledger.charge(three, today: 6) == nil)
        #expect(ledger.days[5]?.records == [collection: 2])
        #expect(ledger.days[6]?.records == [collection: 1])
        // Nothing longer than a day ever fits; the answer is when it will have expired.
        #expect(ledger.charge([cost(6, records: 3)], today: 6) == 6 + DayLedger.daysMax)
        // A stamp of tomorrow takes from tomorrow.
        #expect(ledger.charge([cost(7)], today: 6) == nil)
        #expect(ledger.days[7]?.records == [collection: 1])
    }
}
