import Foundation
import Identity
import Records
import Replica
import TestSupport
import Testing

/// Kills while a piece is stored or an open space is pruned: the file shows the state before or
/// after, never one in between.
struct OpenCrashTests {
    private let homes = Homes()
    private let town = OpenTown()
    private let me: Someone
    private let ben: Someone

    init() throws {
        me = try Someone(seed: 571)
        ben = try Someone(seed: 572)
    }

    /// All that decides what is stored of the space.
    private struct Picture: Equatable {
        let dump: Dump
        let logs: [OfferedLog]?
        let use: OpenUse?

        init(_ replica: Replica, _ town: OpenTown) async throws {
            dump = try await Dump(replica, .post)
            logs = replica.offer(of: town.id)?.logs
            use = await replica.use(of: town.id, wallTime: now)
        }
    }

    private func replica(_ home: Home) async throws -> Replica {
        try await town.replica(of: me.key, knowing: [me], in: home)
    }

    @Test func `storing a piece and pruning are each done whole or not at all`() async throws {
        let home = try homes.make()
        let first = try await replica(home)
        _ = try await first.author(
            [.create(collection: "test.post/1", nonce: .zero, fields: ["title": .text("mine")])],
            in: town.id, wallTime: now)
        try await first.close()
        let replica = try await replica(home)
        // While somebody reads, nothing is moved out of the write-ahead log.
        let reader = try OpenReader(home.file())
        var pictures = [try await Picture(replica, town)]
        var poster = Poster(ben, in: town)
        for number in 0..<3 { try poster.post("post \(number)", at: now + .seconds(number)) }
        try await replica.receive(poster.piece, from: ben, in: town)
        pictures.append(try await Picture(replica, town))
        let end = now + Limits.openStampAgeMax + .milliseconds(1001)
        try await replica.prune(wallTime: end)
        pictures.append(try await Picture(replica, town))
        try await replica.prune(wallTime: end + .days(1))
        pictures.append(try await Picture(replica, town))

        let log = home.file("replica.db-wal")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: log))
        var seen: Set<Int> = []
        for cut in stride(from: 32, through: bytes.count, by: 4096 + 24) {
            let copy = try home.copy()
            try? FileManager.default.removeItem(atPath: copy.file("replica.db-shm"))
            try bytes.prefix(cut).write(to: URL(fileURLWithPath: copy.file("replica.db-wal")))
            let restarted = try await self.replica(copy)
            let picture = try await Picture(restarted, town)
            let index = pictures.firstIndex(of: picture)
            #expect(index != nil, "a state in between after \(cut) bytes")
            seen.insert(index ?? -1)
            #expect(try await restarted.damagedBatches(in: town.id).isEmpty)
            // A person whose last log went is forgotten right after it, or by the next pruning.
            try await restarted.prune(wallTime: now)
            #expect(await restarted.isBrought(ben.person) == [1, 2].contains(index))
            let commit = try await restarted.author(
                [.create(collection: "test.post/1", nonce: Poster.nonce(9), fields: [:])],
                in: town.id, wallTime: end)
            #expect(commit.number == 2)
            try await restarted.close()
        }
        #expect(seen == Set(pictures.indices))
        try reader.end()
    }
}
