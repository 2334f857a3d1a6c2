import Records
import Replica
import TestSupport
import Testing

/// Members who fork their logs and are removed: the cut decides which of their batches count.
struct ForkedMemberTests {
    private let homes = Homes()

    /// Returns a group in which the owner, person 0, granted person 1, and no batch of person 1 has
    /// arrived.
    private func group() async throws -> Group {
        let people = try (0..<5).map { try Someone(seed: UInt64($0) + 110) }
        let group = try await Group(of: people, in: homes)
        for index in 1...4 { try await group.control(0, [.grant(group.person(index), .writer)]) }
        for index in 2...4 { try await group.copy(0, to: index) }
        return group
    }

    private func extend(_ author: Author, _ range: Range<Int>) throws -> Author {
        var author = author
        if author.batches.isEmpty {
            try author.write([Operation(control: .accept)], at: now + .milliseconds(100))
        }
        for number in range {
            let note = author.create(UInt8(number), .shared)
            try author.write([note.operation], at: now + .milliseconds(100 + number))
        }
        return author
    }

    private func merge(_ authors: [Author], into replica: Replica) async throws -> [BatchFault] {
        Array(try await replica.merge(authors).faults.values)
    }

    @Test func `only the side that the cut names counts, and peers learn nothing of the other`()
        async throws
    {
        let group = try await group()
        let shared = try extend(Author(group.people[1].key, in: group.space), 1..<4)
        let (left, right) = (try extend(shared, 10..<13), try extend(shared, 20..<22))
        _ = try await group[0].merge(
            [(group.space.id, left.run(0..<6))], wallTime: now)
        try await group.control(0, [.cut(group.person(1))], at: now + .milliseconds(1000))

        #expect(try await merge([left, right], into: group[2]).isEmpty)
        #expect(try await merge([right], into: group[3]).isEmpty)
        let owner = group.people[0].device
        try await group[0].copy(group.space, to: group[3], devices: [owner])
        #expect(try await merge([left], into: group[3]).isEmpty)
        for index in 2...4 { try await group.copy(0, to: index) }
        let beyond = [BatchFault.beyondCut(group.people[1].device)]
        #expect(try await merge([right], into: group[4]) == beyond)
        #expect(try await merge([left], into: group[4]) == beyond)
        try await group.expectEqual([0, 2, 3, 4])
        let logs = await group[2].heads(in: group.space.id).filter {
            $0.log.device == left.log.device
        }
        #expect(
            logs == [
                LogState(log: left.log, low: 1, high: 6, headHash: left.batches[5].hash)
            ])
        for index in 2...4 {
            let late = try await homes.make().replica(
                of: group.people[4].key, knowing: group.people, in: [group.space],
                collections: [.shared])
            #expect(try await group[index].copy(group.space, to: late).isEmpty)
            #expect(await late.counts() == group[0].counts())
        }
    }

    @Test func `an erase beyond a cut erases nothing, and a body that it took is asked for again`()
        async throws
    {
        let group = try await group()
        var author = try extend(Author(group.people[1].key, in: group.space), 0..<0)
        let note = author.create(7, .shared)
        let title = Operation(
            collection: RecordCollection.shared.id, entity: note.entity,
            action: .set(field: RecordCollection.shared.number("title"), .text("kept")))
        let salt = Bytes16([UInt8](repeating: 6, count: 16)) ?? .zero
        let kept = try author.write(
            [note.operation, title], at: now + .milliseconds(200), salt: salt)
        try author.write([.erase(kept)], at: now + .milliseconds(300))

        // The owner removes the person without having seen the erase; one member has seen it.
        _ = try await group[0].merge(
            [(group.space.id, author.run(0..<2))], wallTime: now)
        #expect(try await merge([author], into: group[2]).isEmpty)
        #expect(try await group.titles(2) == [])
        try await group.control(0, [.cut(group.person(1))], at: now + .milliseconds(1000))
        for index in 2...3 { try await group.copy(0, to: index, at: now + .milliseconds(1000)) }
        #expect(
            try await merge([author], into: group[3])
                == [.beyondCut(group.people[1].device)])
        #expect(try await group.titles(3) == ["kept"])

        let asked = try await group[2].reachesBeforeMissing(in: group.space.id)
        #expect(
            asked == [LogHead(log: author.log, number: 1, hash: author.batches[0].hash)])
        _ = try await group[2].merge(
            [(group.space.id, author.run(1..<2))], wallTime: now)
        #expect(try await group.titles(2) == ["kept"])
        try await group.expectEqual([0, 2, 3])
    }

    @Test func `a body that is missing beyond a cut is not asked for`() async throws {
        let group = try await group()
        let author = try extend(Author(group.people[1].key, in: group.space), 1..<4)
        let bare = author.run(0..<3) { $0.hash == author.batches[2].hash }
        _ = try await group[0].merge([(group.space.id, author.run(0..<1))], wallTime: now)
        #expect(
            try await group[2].merge([(group.space.id, bare)], wallTime: now).faults.isEmpty)
        #expect(
            try await group[2].reachesBeforeMissing(in: group.space.id).map(\.number) == [2])
        try await group.control(0, [.cut(group.person(1))], at: now + .milliseconds(1000))
        try await group.copy(0, to: 2, at: now + .milliseconds(1000))
        #expect(try await group[2].reachesBeforeMissing(in: group.space.id).isEmpty)
    }

    @Test func `a removed person cannot displace sides that count by branches with small hashes`()
        async throws
    {
        let group = try await group()
        let shared = try extend(Author(group.people[1].key, in: group.space), 1..<3)
        let sides = try (1...6).map { try extend(shared, $0 * 10..<$0 * 10 + 2) }
            .sorted { $0.batches[3].hash < $1.batches[3].hash }
        let honest = sides[5]
        _ = try await merge([honest], into: group[0])
        try await group.control(0, [.cut(group.person(1))], at: now + .milliseconds(1000))

        #expect(try await merge(Array(sides[0...3]), into: group[2]).isEmpty)
        #expect(
            try await merge([honest], into: group[2])
                == [.forked(author: group.people[1].device, number: 4)])
        #expect(try await merge([honest, sides[0], sides[1]], into: group[3]).isEmpty)
        for index in 2...4 {
            try await group.copy(0, to: index)
            try await group.copy(0, to: index)
        }
        try await group.expectEqual([0, 2, 3, 4])
        for index in 2...4 {
            _ = try await merge(sides.reversed(), into: group[index])
        }
        try await group.expectEqual([0, 2, 3, 4])
    }

    @Test(arguments: UInt64(1)...12)
    func `forks and cuts in any order leave all replicas equal`(seed: UInt64) async throws {
        var draw = SeededGenerator(seed: seed)
        let group = try await group()
        var authors = [try extend(Author(group.people[1].key, in: group.space), 1..<3)]
        for step in 1...draw.number(3...8) {
            let source = authors[draw.number(0...authors.count - 1)]
            let kept = draw.number(1...source.batches.count)
            let length = draw.number(1...3)
            authors.append(
                try extend(source.forgetting(after: kept), step * 10..<step * 10 + length))
        }
        let known = authors.shuffled(using: &draw).prefix(2)
        try await group[0].merge(Array(known))
        let owner = group[0]
        if draw.chance(70) {
            try await group.control(0, [.cut(group.person(1))], at: now + .milliseconds(1000))
        }
        for index in 2...4 {
            let cutComes = draw.number(0...authors.count)
            for (step, author) in authors.shuffled(using: &draw).enumerated() {
                if step == cutComes { try await owner.copy(group.space, to: group[index]) }
                _ = try await merge([author], into: group[index])
            }
        }
        let replicas = [0, 2, 3, 4].map { group[$0] }
        try await Replica.settle(group.space, replicas, at: now + .milliseconds(1000))
        for index in [0, 2, 3, 4] {
            _ = try await merge(authors.shuffled(using: &draw), into: group[index])
        }
        try await Replica.settle(group.space, replicas, at: now + .milliseconds(1000))
        try await group.expectEqual([0, 2, 3, 4], "seed \(seed)")
    }
}
