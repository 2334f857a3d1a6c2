import Identity
import Records
import TestSupport
import Testing

@testable import Replica

/// The shares of links in the room for unknown authors, while bringers come, go and come back under
/// other keys.
struct OpenShareTests {
    private let homes = Homes()
    private let town = OpenTown()
    private let me: Someone
    private let honest: Someone
    private let liar: Someone
    private let wall = now + .seconds(20_000)

    init() throws {
        me = try Someone(seed: 551)
        honest = try Someone(seed: 552)
        liar = try Someone(seed: 553)
    }

    private func person(_ number: Int) -> PersonID {
        PersonID(raw: Digest.person.hash([UInt8(number >> 8), UInt8(number & 255)]))
    }

    private func entry(
        _ number: Int, by author: PersonID, broughtBy bringer: PersonID?, bytes: Int
    ) -> SpaceState.LogEntry {
        var entry = SpaceState.LogEntry(number: Int64(number + 1), person: author)
        (entry.low, entry.high, entry.counted) = (1, 1, 1)
        entry.lowStamp = Stamp(now + .seconds(number))
        (entry.bytes, entry.begunCount, entry.bringer) = (bytes, 1, bringer)
        return entry
    }

    private func log(_ number: Int) -> LogName {
        LogName(device: DeviceID(raw: person(number + 5000).raw))
    }

    // MARK: The rule

    @Test func `people who brought something and are gone have one share together`() {
        let full = Limits.openSpaceBytesMax
        var space = SpaceState(number: 1, descriptor: town.space)
        for number in 0..<100 {
            let bytes = full / 100 + (number == 42 ? 500 : 0)
            space.update(
                log(number),
                entry(number, by: person(number), broughtBy: person(number + 200), bytes: bytes))
        }
        let people = OpenPeople(retained: [], linked: [honest.person])
        let room = OpenRoom(space.totals, people)
        // The one who brought most gives first.
        #expect(
            room.decide(.init(bytes: full / 2), by: honest.person)
                == .takes(from: person(242), isLogs: false))
        #expect(room.decide(.init(bytes: full / 2 + 1), by: honest.person) == .noShare)
        // None of them gets more than that one share either.
        #expect(room.decide(.init(bytes: 100), by: person(242)) == .noShare)
        // While each of them is linked, each has a share.
        let all = OpenPeople(
            retained: [], linked: Set((200..<300).map(person) + [honest.person]))
        let crowd = OpenRoom(space.totals, all)
        #expect(crowd.decide(.init(bytes: full / 101), by: honest.person) != .noShare)
        #expect(crowd.decide(.init(bytes: full / 101 + 1), by: honest.person) == .noShare)
    }

    @Test func `a mate who is away keeps the share of their link`() {
        let full = Limits.openSpaceBytesMax
        let mate = person(900)
        var space = SpaceState(number: 1, descriptor: town.space)
        space.update(log(1), entry(1, by: person(1), broughtBy: mate, bytes: full / 3))
        space.update(
            log(2), entry(2, by: person(2), broughtBy: liar.person, bytes: full - full / 3))
        let people = OpenPeople(retained: [mate], linked: [liar.person, honest.person])
        let room = OpenRoom(space.totals, people)
        #expect(
            room.decide(.init(bytes: full / 3), by: honest.person)
                == .takes(from: liar.person, isLogs: false))
        #expect(room.decide(.init(bytes: full / 3 + 1), by: honest.person) == .noShare)
        #expect(room.decide(.init(bytes: 100), by: liar.person) == .noShare)
        #expect(room.share(of: mate) == .link(mate))
        #expect(room.share(of: person(901)) == .former)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `a share within its part gives no room`(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let full = Limits.openSpaceBytesMax
        var space = SpaceState(number: 1, descriptor: town.space)
        for number in 0..<60 {
            let bringer = person(300 + Int.random(in: 0..<8, using: &chance))
            space.update(
                log(number),
                entry(
                    number, by: person(number % 40), broughtBy: bringer,
                    bytes: Int.random(in: full / 80...full / 62, using: &chance)))
        }
        let people = OpenPeople(
            retained: Set((0..<4).map(person) + [person(300)]),
            linked: Set((301..<304).map(person)))
        let room = OpenRoom(space.totals, people)
        var shares: [OpenRoom.Share: Int] = [:]
        for (bringer, amount) in room.byBringer {
            shares[room.share(of: bringer), default: 0] += amount.bytes
        }
        var decisions = 0
        for _ in 0..<50 {
            let own = person(300 + Int.random(in: 0..<8, using: &chance))
            let need = Int.random(in: 1...full / 2, using: &chance)
            var others = shares
            let before = others.removeValue(forKey: room.share(of: own)) ?? 0
            let part = (full - room.retained.bytes) / (others.count + 1)
            switch room.decide(.init(bytes: need), by: own) {
            case .fits: #expect(room.total.bytes + need <= full)
            case .takes(let giver, _):
                decisions += 1
                #expect(before + need <= part)
                #expect(others[room.share(of: giver)] ?? 0 > part)
            case .noShare:
                decisions += 1
                #expect(before + need > part)
            case .noRoom: Issue.record("there is room for unknown authors")
            }
        }
        #expect(decisions > 0)
    }

    // MARK: Totals

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `totals that follow each change are those of all logs`(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var space = SpaceState(number: 1, descriptor: town.space)
        var records: [PersonID: Int] = [:]
        for step in 0..<300 {
            let number = Int.random(in: 0..<30, using: &chance)
            let log = log(number)
            let author = person(Int.random(in: 0..<8, using: &chance))
            switch Int.random(in: 0..<6, using: &chance) {
            case 0: space.remove(log)
            case 1:
                let bytes = Int.random(in: 0...900, using: &chance)
                if space.totals.authors[author] != nil {
                    space.setRecordBytes(bytes, of: author)
                    records[author] = bytes
                }
            case 2:
                let origin = self.log(number + 100)
                space.change(log) {
                    ($0.low, $0.lowStamp) = ($0.high + 1, Stamp(now + .seconds(step)))
                    $0.origin = step % 2 == 0 ? origin : nil
                }
            case 3: space.change(log) { ($0.person, $0.high) = (author, $0.high + 1) }
            case 4:
                let bringer = person(Int.random(in: 300..<304, using: &chance))
                space.change(log) { ($0.bringer, $0.rows.void) = (bringer, step) }
            default:
                var new = entry(number, by: author, broughtBy: nil, bytes: step)
                new.bringer = step % 3 == 0 ? nil : person(300 + step % 4)
                if space.logs[log] == nil { space.update(log, new) }
            }
            for person in records.keys where space.totals.authors[person] == nil {
                records[person] = nil
            }
        }
        var whole = OpenTotals()
        for (person, bytes) in records { whole.setRecordBytes(bytes, of: person) }
        for (log, entry) in space.logs { whole.update(log, nil, to: entry) }
        #expect(space.totals.total == whole.total)
        #expect(space.totals.recordBytes == whole.recordBytes)
        #expect(space.totals.bringers.count == whole.bringers.count)
        for (bringer, brought) in whole.bringers {
            #expect(space.totals.bringers[bringer]?.amount == brought.amount)
            #expect(space.totals.bringers[bringer]?.logs == brought.logs)
        }
        for (author, wrote) in whole.authors where !wrote.rows.isEmpty {
            #expect(space.totals.authors[author]?.byBringer == wrote.byBringer)
            #expect(space.totals.authors[author]?.rows.sorted() == wrote.rows.sorted())
        }
        let room = OpenRoom(whole, OpenPeople(retained: [person(1), person(2)]))
        #expect(room.unknown == room.byBringer.values.reduce(OpenRoom.Amount(), +))
    }

    // MARK: Replicas

    /// Writes a batch that begins records of an undeclared collection.
    private func fill(_ poster: inout Poster, records: Int, at time: Timestamp) throws {
        let collection = CollectionID(name: "test.filling/1")
        try poster.write(
            (0..<records).map { number in
                let nonce = Poster.nonce(UInt64(poster.count * 10_000 + number))
                return Operation(
                    collection: collection,
                    entity: Operation.entity(
                        in: town.id, of: collection, by: poster.someone.person, nonce: nonce),
                    action: .create(nonce: nonce))
            }, at: time)
    }

    private func isStored(_ piece: ReceivedPiece) -> Bool {
        if case .stored = piece.result { true } else { false }
    }

    @Test func `a stranger who comes back under many keys leaves a link its share`()
        async throws
    {
        let replica = try await town.replica(
            of: me.key, knowing: [me], in: homes.make(), retaining: [])
        for key in 0..<50 {
            let stranger = try Someone(seed: 8000 + UInt64(key))
            await replica.share(among: [stranger.person, honest.person])
            var poster = Poster(try Someone(seed: 8100 + UInt64(key)), in: town)
            try fill(&poster, records: 1000, at: now + .seconds(key))
            #expect(
                try await isStored(
                    replica.receive(poster.piece, from: stranger, in: town, at: wall)))
        }
        let before = try #require(await replica.use(of: town.id, wallTime: wall))
        #expect(before.records == Limits.openSpaceRecordsMax)
        // A fiftieth would be used up with the second author.
        for number in 0..<5 {
            var poster = Poster(try Someone(seed: 8200 + UInt64(number)), in: town)
            try fill(&poster, records: 1000, at: now)
            #expect(
                try await isStored(
                    replica.receive(poster.piece, from: honest, in: town, at: wall)))
        }
        let use = try #require(await replica.use(of: town.id, wallTime: wall))
        #expect(use.records <= Limits.openSpaceRecordsMax)
        #expect(use.bringers[honest.person]?.records == 5000)
    }

    @Test func `a log goes over to the link that continues it, if its own link has its share`()
        async throws
    {
        let replica = try await town.replica(
            of: me.key, knowing: [me], in: homes.make(), retaining: [])
        await replica.share(among: [liar.person, honest.person])
        // The liar brings the beginning of an honest log, and then uses up the space.
        var ben = Poster(try Someone(seed: 554), in: town)
        try fill(&ben, records: 10, at: now + .seconds(5000))
        try fill(&ben, records: 20, at: now + .seconds(5001))
        try await replica.receive(ben.piece(1...1), from: liar, in: town, at: wall)
        var stored = 10
        while stored < Limits.openSpaceRecordsMax {
            let count = min(1000, Limits.openSpaceRecordsMax - stored)
            stored += count
            var poster = Poster(try Someone(seed: 9000 + UInt64(stored)), in: town)
            try fill(&poster, records: count, at: now)
            try await replica.receive(poster.piece, from: liar, in: town, at: wall)
        }
        #expect(
            try await replica.receive(ben.piece(2...2), from: liar, in: town, at: wall).result
                == .noShare)
        #expect(
            try await isStored(
                replica.receive(ben.piece(2...2), from: honest, in: town, at: wall)))
        #expect(replica.offered(ben.log, in: town)?.low == 1)
        #expect(replica.offered(ben.log, in: town)?.high == 2)
        let use = try #require(await replica.use(of: town.id, wallTime: wall))
        #expect(use.bringers[honest.person]?.records == 30)
        #expect(use.records <= Limits.openSpaceRecordsMax)
    }

    @Test func `shares are the same after a restart`() async throws {
        let home = try homes.make()
        let replica = try await town.replica(of: me.key, knowing: [me], in: home, retaining: [])
        for number in 0..<4 {
            var poster = Poster(try Someone(seed: 8300 + UInt64(number)), in: town)
            try fill(&poster, records: 3, at: now)
            try await replica.receive(
                poster.piece, from: number == 0 ? liar : honest, in: town, at: wall)
        }
        await replica.share(among: [liar.person, honest.person])
        let before = try #require(await replica.use(of: town.id, wallTime: wall))
        #expect(before.bringers[honest.person]?.records == 9)
        try await replica.close()
        let again = try await town.replica(of: me.key, knowing: [me], in: home, retaining: [])
        await again.share(among: [liar.person, honest.person])
        #expect(await again.use(of: town.id, wallTime: wall) == before)
    }
}
