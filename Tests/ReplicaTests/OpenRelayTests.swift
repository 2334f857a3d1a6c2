import Identity
import Records
import TestSupport
import Testing

@testable import Replica

/// Peers who pass on what others wrote in an open space, and leave something out or add something.
struct OpenRelayTests {
    private let homes = Homes()
    private let town = OpenTown()
    private let me: Someone
    private let ben: Someone
    private let link: Someone
    private let liar: Someone

    init() throws {
        me = try Someone(seed: 541)
        ben = try Someone(seed: 542)
        link = try Someone(seed: 543)
        liar = try Someone(seed: 544)
    }

    private func replica(
        knowing people: [Someone] = [], retaining retained: Set<PersonID> = []
    ) async throws -> Replica {
        try await town.replica(
            of: me.key, knowing: [me] + people, in: homes.make(), retaining: retained)
    }

    private func poster(_ count: Int, by author: Someone? = nil) throws -> Poster {
        var poster = Poster(author ?? ben, in: town)
        for number in 0..<count { try poster.post("post \(number + 1)", at: now) }
        return poster
    }

    private func isStored(_ received: ReceivedPiece) -> Bool {
        if case .stored = received.result { true } else { false }
    }

    // MARK: Bodies

    @Test(arguments: [true, false])
    func `a log that a peer stripped of its bodies is read over another link`(isRetained: Bool)
        async throws
    {
        let poster = try poster(9)
        let people: Set<PersonID> = isRetained ? [ben.person] : []
        for known in [0, 3] {
            let replica = try await replica(retaining: people)
            if known > 0 {
                try await replica.receive(poster.piece(1...known), from: link, in: town)
            }
            let stripped = poster.piece(known + 1...9, without: Set(known + 1...9))
            #expect(
                try await replica.receive(stripped, from: liar, in: town).result
                    == .refused(.gap(expected: 9, found: 10)))
            #expect(try await replica.titles().count == known)
            #expect(await replica.isBrought(ben.person) == (known > 0))
            let whole = poster.piece(known + 1...9)
            #expect(isStored(try await replica.receive(whole, from: link, in: town)))
            #expect(try await replica.titles().count == 9)
        }
    }

    @Test func `one body that a peer left out is read over another link`() async throws {
        let poster = try poster(9)
        let replica = try await replica()
        #expect(
            isStored(
                try await replica.receive(poster.piece(1...9, without: [5]), from: liar, in: town)))
        #expect(replica.offered(poster.log, in: town)?.low == 6)
        #expect(
            try await replica.receive(
                poster.piece(4...5, without: [5]), from: liar, in: town
            ).result == .refused(.gap(expected: 5, found: 6)))
        #expect(isStored(try await replica.receive(poster.piece(1...5), from: link, in: town)))
        #expect(try await replica.titles().count == 9)
    }

    @Test func `an erased batch reaches a newcomer, wherever its erase is`() async throws {
        var poster = try poster(5)
        try poster.write([.erase(poster.author.batches[2])], at: now + .seconds(1))
        try poster.post("last", at: now + .seconds(2))
        let titles = ["last", "post 1", "post 2", "post 4", "post 5"]

        let whole = try await replica()
        let piece = poster.piece(1...7, without: [3])
        #expect(isStored(try await whole.receive(piece, from: link, in: town)))
        #expect(try await whole.titles() == titles)

        // The erase is beyond the first piece.
        let parts = try await replica()
        try await parts.receive(poster.piece(1...5, without: [3]), from: link, in: town)
        #expect(isOffered(by: parts, low: 4, high: 5, of: poster))
        #expect(
            try await parts.receive(poster.piece(1...3, without: [3]), from: link, in: town).result
                == .refused(.gap(expected: 3, found: 4)))
        try await parts.receive(poster.piece(6...7), from: link, in: town)
        try await parts.receive(poster.piece(1...3, without: [3]), from: link, in: town)
        #expect(isOffered(by: parts, low: 1, high: 7, of: poster))
        #expect(try await parts.titles() == titles)

        // Who has the beginning waits for a longer piece, or for the author's own person.
        for (bringer, last, isStored) in [(link, 5, false), (link, 6, true), (ben, 5, true)] {
            let replica = try await replica()
            try await replica.receive(poster.piece(1...2), from: link, in: town)
            let piece = poster.piece(3...last, without: [3])
            let received = try await replica.receive(piece, from: bringer, in: town)
            #expect(self.isStored(received) == isStored)
        }
    }

    private func isOffered(
        by replica: Replica, low: UInt64, high: UInt64, of poster: Poster
    ) -> Bool {
        let offered = replica.offered(poster.log, in: town)
        return offered?.low == low && offered?.high == high
    }

    // MARK: Records

    @Test func `only the author's record is stored, and only with something new`() async throws {
        var poster = try poster(3)
        let replica = try await replica()
        try await replica.receive(poster.piece(1...1), from: link, in: town)
        let other = PassedRun(
            record: liar.record.encoded, previous: poster.author.batches[0].hash,
            run: poster.piece(2...2).run)
        #expect(
            try await replica.receive(other, from: liar, in: town).result
                == .refused(.notAMember(ben.device)))
        #expect(await replica.personRecord(liar.person) == nil)
        #expect(replica.offered(poster.log, in: town)?.high == 1)

        let bytes = { await replica.use(of: town.id, wallTime: now)?.bytes ?? 0 }
        poster.record = try ben.adding(try Someone(seed: 545).key)
        let growth = poster.record.encoded.count - ben.record.encoded.count
        let before = await bytes()
        let again = try await replica.receive(poster.piece(1...1), from: liar, in: town)
        #expect(again.result == .stored(try #require(replica.offered(poster.log, in: town))))
        #expect(await replica.personRecord(ben.person) == ben.record)
        #expect(await bytes() == before)

        let grown = try await replica.receive(poster.piece(2...2), from: liar, in: town)
        #expect(isStored(grown) && grown.person == nil)
        #expect(await replica.personRecord(ben.person) == poster.record)
        let batch = poster.author.batches[1].content.storedBytes
        #expect(await bytes() == before + batch + growth)
    }

    @Test func `a known person's record that arrives with a piece is handed to the caller`()
        async throws
    {
        var poster = try poster(2)
        let replica = try await replica(knowing: [ben], retaining: [ben.person])
        let first = try await replica.receive(poster.piece(1...1), from: link, in: town)
        #expect(first.person == nil)
        poster.record = try ben.adding(try Someone(seed: 545).key)
        let second = try await replica.receive(poster.piece(1...1), from: link, in: town)
        #expect(second.person?.before == ben.record)
        #expect(second.person?.after == poster.record)
        #expect(await replica.personRecord(ben.person) == poster.record)
    }

    // MARK: Places

    @Test func `what makes room or is replaced is given back to its author's days`() async throws {
        let poster = try poster(20)
        let replica = try await replica()
        try await replica.receive(poster.piece(1...8), from: link, in: town)
        try await replica.receive(poster.piece(16...20), from: liar, in: town)
        #expect(isOffered(by: replica, low: 16, high: 20, of: poster))
        let use = try #require(await replica.use(of: town.id, wallTime: now))
        #expect(Set(use.bringers.keys) == [link.person])
        #expect(isStored(try await replica.receive(poster.piece(1...15), from: link, in: town)))
        #expect(try await replica.titles().count == 20)
        var more = poster
        try more.post("one more", at: now)
        guard
            case .overAllowance = try await replica.receive(
                more.piece(21...21), from: link, in: town
            ).result
        else {
            Issue.record("more was given back than was taken")
            return
        }
    }

    @Test func `an own log that peers know further than an old backup goes on behind them`()
        async throws
    {
        let replica = try await replica()
        var own = Poster(me, in: town)
        for number in 0..<3 { try own.post("old \(number)", at: now, nonce: UInt64(number)) }
        try await replica.receive(own.piece, from: link, in: town)
        let wall = now + .days(31)
        try await replica.prune(wallTime: wall)
        #expect(replica.offer(of: town.id)?.logs.isEmpty == true)
        for number in 3..<9 { try own.post("new \(number)", at: wall, nonce: UInt64(number)) }
        let piece = own.piece(6...9)
        #expect(isStored(try await replica.receive(piece, from: link, in: town, at: wall)))
        #expect(isOffered(by: replica, low: 6, high: 9, of: own))
        _ = try await replica.author(
            [.create(collection: "test.post/1", nonce: Poster.nonce(50), fields: [:])],
            in: town.id, wallTime: wall)
        #expect(isOffered(by: replica, low: 6, high: 10, of: own))
        #expect(try await replica.damagedBatches(in: town.id).isEmpty)
    }
}
