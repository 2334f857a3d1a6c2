import Identity
import Records
import Testing

@testable import Replica

/// The room for batches whose bodies were erased before they arrived.
struct ErasedRoomTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor

    init() throws {
        me = try Someone(seed: 193)
        mate = try Someone(seed: 194)
        pair = .between(me.person, mate.person)
    }

    private func replica(_ quota: StorageQuota) async throws -> Replica {
        try await homes.make().replica(
            of: me.key, knowing: [me, mate], in: [pair], quota: quota)
    }

    @Test func `an erase behind a run of erased batches makes room for what follows`()
        async throws
    {
        var filler = Filler(mate.key, in: pair)
        for _ in 0..<5 { try filler.write(bytes: 20_000) }
        for batch in filler.author.batches { try filler.erase(batch) }
        try filler.write(bytes: 20_000)
        let stored = filler.author.batches[0].storedBytes + filler.author.batches[1].storedBytes
        let replica = try await replica(StorageQuota(authorBytesMax: stored + 100))
        for index in 0..<2 { _ = try await replica.merge([filler.run(index)], wallTime: now) }
        #expect(
            try await replica.merge([filler.run(2)], wallTime: now).faults
                == [0: .noRoom(mate.device)])
        // The author erased all, so the batches that were refused come again without their bodies.
        let bare = filler.author.run(2..<5) { _ in true }
        #expect(try await replica.merge([(pair.id, bare)], wallTime: now).faults.isEmpty)
        let erases = filler.author.run(5..<10)
        #expect(try await replica.merge([(pair.id, erases)], wallTime: now).faults.isEmpty)
        #expect(try await replica.merge([filler.run(10)], wallTime: now).faults.isEmpty)
    }

    @Test(arguments: [false, true])
    func `an erase that is dated ahead makes no room before it is due`(
        isOneRun: Bool
    ) async throws {
        var filler = Filler(mate.key, in: pair)
        let first = try filler.write()
        try filler.write()
        filler.start = now + Limits.stampAheadMax + .seconds(60)
        try filler.erase(first)
        try filler.write()
        let replica = try await replica(StorageQuota(authorBytesMax: 130_000))
        for index in 0..<2 { _ = try await replica.merge([filler.run(index)], wallTime: now) }
        if !isOneRun {
            #expect(try await replica.merge([filler.run(2)], wallTime: now).faults.isEmpty)
        }
        let rest = (pair.id, filler.author.run(isOneRun ? 2..<4 : 3..<4))
        #expect(
            try await replica.merge([rest], wallTime: now).faults == [0: .noRoom(mate.device)])
        #expect(await replica.storage().usedBytes < 130_000 + 1000)
        let due = now + .seconds(120)
        _ = try await replica.releaseDue(wallTime: due)
        #expect(try await replica.merge([rest], wallTime: due).faults.isEmpty)
        #expect(await replica.storage().usedBytes < 130_000 + 1000)
    }

    @Test(arguments: [false, true])
    func `a body that is erased twice makes room once`(isOneRun: Bool) async throws {
        var filler = Filler(mate.key, in: pair)
        let first = try filler.write()
        try filler.write()
        for _ in 0..<2 {
            try filler.erase(first)
            try filler.write()
        }
        let replica = try await replica(StorageQuota(authorBytesMax: 130_000))
        for index in 0..<2 { _ = try await replica.merge([filler.run(index)], wallTime: now) }
        let runs = isOneRun ? [2..<6] : [2..<4, 4..<6]
        let outcome = try await replica.merge(
            runs.map { (pair.id, filler.author.run($0)) }, wallTime: now)
        #expect(outcome.faults == [runs.count - 1: .noRoom(mate.device)])
        #expect(await replica.storage().usedBytes < 130_000 + 1000)
    }

    @Test func `headers alone use the reserve, and no more than that`() async throws {
        var filler = Filler(mate.key, in: pair)
        for _ in 0..<6000 { try filler.write(bytes: 1) }
        let replica = try await replica(StorageQuota(authorBytesMax: 1))
        var refusedAt: Int?
        for start in stride(from: 0, to: 6000, by: 500) where refusedAt == nil {
            let bare = filler.author.run(start..<start + 500) { _ in true }
            let fault = try await replica.merge([(pair.id, bare)], wallTime: now).faults[0]
            if fault == .noRoom(mate.device) { refusedAt = start }
        }
        let used = await replica.storage().usedBytes
        #expect(refusedAt != nil)
        #expect(used <= Limits.reservedBytesMax + 1)
        #expect(used > Limits.reservedBytesMax - 500 * 250)
    }
}
