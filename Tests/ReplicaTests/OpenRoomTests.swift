import Identity
import Records
import TestSupport
import Testing

@testable import Replica

/// The room of an open space: who is retained, and how the rest is shared.
struct OpenRoomTests {
    private let homes = Homes()
    private let town = OpenTown()
    private let me: Someone
    private let honest: Someone
    private let liar: Someone

    init() throws {
        me = try Someone(seed: 531)
        honest = try Someone(seed: 532)
        liar = try Someone(seed: 533)
    }

    /// Returns a space with logs of made-up authors.
    private func space(
        _ logs: [(author: Int, bringer: PersonID?, bytes: Int, records: Int)]
    ) -> SpaceState {
        var space = SpaceState(number: 1, descriptor: town.space)
        for (number, log) in logs.enumerated() {
            var entry = SpaceState.LogEntry(number: Int64(number + 1), person: person(log.author))
            (entry.low, entry.high, entry.counted) = (1, 1, 1)
            entry.bytes = log.bytes
            entry.begunCount = log.records
            entry.bringer = log.bringer
            space.update(LogName(device: DeviceID(raw: person(number + 5000).raw)), entry)
        }
        return space
    }

    private func person(_ number: Int) -> PersonID {
        PersonID(raw: Digest.person.hash([UInt8(number >> 8), UInt8(number & 255)]))
    }

    private var people: OpenPeople {
        OpenPeople(retained: [], linked: [liar.person, honest.person, person(77)])
    }

    @Test func `a space is filled to the byte, the record and the log`() {
        let full = Limits.openSpaceBytesMax
        let room = OpenRoom(space([(1, liar.person, full - 100, 1)]).totals, people)
        #expect(room.decide(.init(bytes: 100), by: liar.person) == .fits)
        #expect(room.decide(.init(bytes: 101), by: liar.person) == .noShare)
        let records = OpenRoom(
            space([(1, liar.person, 1, Limits.openSpaceRecordsMax - 1)]).totals, people)
        #expect(records.decide(.init(bytes: 1, records: 1), by: liar.person) == .fits)
        #expect(records.decide(.init(bytes: 1, records: 2), by: liar.person) == .noShare)
        let logs = OpenRoom(
            space((0..<Limits.openSpaceLogsMax - 1).map { ($0, liar.person, 1, 1) }).totals,
            people)
        #expect(logs.decide(.init(bytes: 1, logs: 1), by: liar.person) == .fits)
        #expect(logs.decide(.init(bytes: 1, logs: 2), by: liar.person) == .noShare)
    }

    @Test func `the bringer with most makes room until each has an equal share`() {
        let full = Limits.openSpaceBytesMax
        let third = person(77)
        let room = OpenRoom(
            space([(1, liar.person, full - 50, 1), (2, third, 50, 1)]).totals, people)
        #expect(
            room.decide(.init(bytes: 10), by: honest.person)
                == .takes(from: liar.person, isLogs: false))
        #expect(
            room.decide(.init(bytes: 10), by: third) == .takes(from: liar.person, isLogs: false))
        #expect(room.decide(.init(bytes: 10), by: liar.person) == .noShare)
        // A third of the space is the share, and not a byte more.
        #expect(room.decide(.init(bytes: full / 3), by: honest.person) != .noShare)
        #expect(room.decide(.init(bytes: full / 3 + 1), by: honest.person) == .noShare)
        #expect(room.full == [liar.person])
    }

    @Test func `retained authors take room from all others, and are bounded too`() {
        let full = Limits.openSpaceBytesMax
        let mate = person(1)
        let people = OpenPeople(retained: [mate], linked: [liar.person, honest.person])
        let room = OpenRoom(
            space([(1, liar.person, full / 2, 1), (2, liar.person, full / 2, 1)]).totals, people)
        #expect(room.retained.bytes == full / 2)
        #expect(
            room.decide(.init(bytes: full / 2), by: nil)
                == .takes(from: liar.person, isLogs: false))
        #expect(room.decide(.init(bytes: full / 2 + 1), by: nil) == .noRoom)
        // Others share what the retained leave.
        let half = full / 2 / 2
        #expect(room.decide(.init(bytes: half), by: honest.person) != .noShare)
        #expect(room.decide(.init(bytes: half + 1), by: honest.person) == .noShare)
    }

    @Test func `before the core has named anybody, nothing makes room`() {
        let full = Limits.openSpaceBytesMax
        let room = OpenRoom(
            space([(1, liar.person, full, 1)]).totals, OpenPeople(retained: nil))
        #expect(room.decide(.init(bytes: 1), by: nil) == .noRoom)
        #expect(room.full.isEmpty)
    }

    @Test func `an unknown author's record is counted`() {
        var space = space([(1, liar.person, 100, 1), (2, honest.person, 100, 1)])
        space.setRecordBytes(15_000, of: person(1))
        let room = OpenRoom(space.totals, people)
        #expect(room.byBringer[liar.person]?.bytes == 15_100)
        #expect(room.byBringer[honest.person]?.bytes == 100)
        // A retained author's record is here in any case.
        let known = OpenRoom(space.totals, OpenPeople(retained: [person(1)]))
        #expect(known.total.bytes == 200)
    }

    /// Writes a batch of an undeclared collection, of nearly a day's bytes and some records.
    private func fill(
        _ poster: inout Poster, records: Int, bytes: Int, at time: Timestamp
    ) throws {
        let collection = CollectionID(name: "test.filling/1")
        var operations = (0..<records).map { number in
            let nonce = Poster.nonce(UInt64(number))
            return Operation(
                collection: collection,
                entity: Operation.entity(
                    in: town.id, of: collection, by: poster.someone.person, nonce: nonce),
                action: .create(nonce: nonce))
        }
        for field in 0..<2 {
            operations.append(
                Operation(
                    collection: collection, entity: EntityID(raw: Poster.nonce(7)),
                    action: .set(
                        field: UInt64(field + 1),
                        .bytes([UInt8](repeating: UInt8(records & 255), count: bytes / 2)))))
        }
        try poster.write(operations, at: time)
    }

    @Test func `a thousand keys over one link leave another link its share`() async throws {
        let replica = try await town.replica(
            of: me.key, knowing: [me], in: homes.make(), retaining: [])
        await replica.share(among: [liar.person, honest.person])
        // The liar's authors use up the records of the whole space.
        var seed: UInt64 = 6000
        var stored = 0
        while stored < Limits.openSpaceRecordsMax {
            seed += 1
            var poster = Poster(try Someone(seed: seed), in: town)
            let count = min(1000, Limits.openSpaceRecordsMax - stored)
            try fill(&poster, records: count, bytes: 100, at: now + .seconds(Int(seed)))
            let wall = now + .seconds(20_000)
            try await replica.receive(poster.piece, from: liar, in: town, at: wall)
            stored += count
        }
        let wall = now + .seconds(20_000)
        let before = try #require(await replica.use(of: town.id, wallTime: wall))
        #expect(before.records == Limits.openSpaceRecordsMax)
        #expect(before.fullBringers == [liar.person])
        var more = Poster(try Someone(seed: 5999), in: town)
        try more.post("one more", at: now)
        #expect(
            try await replica.receive(more.piece, from: liar, in: town, at: wall).result
                == .noShare)
        // An honest neighbour brings one author after the other, up to half of the space.
        let oldest = try #require(replica.offer(of: town.id)?.logs.count)
        for number in 0..<3 {
            var poster = Poster(try Someone(seed: 5000 + UInt64(number)), in: town)
            try fill(&poster, records: 900, bytes: 10, at: now)
            guard
                case .stored = try await replica.receive(
                    poster.piece, from: honest, in: town, at: wall
                ).result
            else {
                Issue.record("an honest link got no room")
                return
            }
            let use = try #require(await replica.use(of: town.id, wallTime: wall))
            #expect(use.records <= Limits.openSpaceRecordsMax)
            #expect(use.bytes <= Limits.openSpaceBytesMax)
        }
        let after = try #require(await replica.use(of: town.id, wallTime: wall))
        #expect(after.bringers[honest.person]?.records == 2700)
        #expect(replica.offer(of: town.id)?.logs.count == oldest + 3 - 3)
        #expect(try await replica.damagedBatches(in: town.id).isEmpty)
    }

    @Test func `what mates wrote is never removed for strangers`() async throws {
        let mate = try Someone(seed: 540)
        let replica = try await town.replica(
            of: me.key, knowing: [me, mate], in: homes.make(), retaining: [mate.person])
        var poster = Poster(mate, in: town)
        try poster.post("a mate's", at: now)
        try await replica.receive(poster.piece, from: liar, in: town)
        var seed: UInt64 = 7000
        for _ in 0..<52 {
            seed += 1
            var poster = Poster(try Someone(seed: seed), in: town)
            try fill(&poster, records: 1000, bytes: 100, at: now)
            try await replica.receive(poster.piece, from: liar, in: town)
            let use = try #require(await replica.use(of: town.id, wallTime: now))
            #expect(use.records <= Limits.openSpaceRecordsMax)
        }
        #expect(try await replica.titles() == ["a mate's"])
        // A mate takes room from strangers.
        try fill(&poster, records: 1200, bytes: 100, at: now)
        guard
            case .stored = try await replica.receive(poster.piece(2...2), from: honest, in: town)
                .result
        else {
            Issue.record("a mate got no room")
            return
        }
        #expect(await !replica.isBrought(mate.person))
    }
}
