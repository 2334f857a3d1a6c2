import Records
import Replica
import Testing

/// Five replicas of a group; one has a wrong clock.
struct ClockTests {
    private let homes = Homes()
    private static let hour = Duration.seconds(3600)
    private static let fiftyYears = Duration.seconds(50 * 365 * 24 * 3600)

    private func group() async throws -> Group {
        let people = try (0..<5).map { try Someone(seed: UInt64($0) + 90) }
        let group = try await Group(of: people, in: homes)
        try await group.join([.writer, .writer, .writer, .writer])
        return group
    }

    /// Copies between all replicas, each at its own time.
    private func settle(_ group: Group, _ walls: [Timestamp]) async throws {
        for _ in 0..<4 {
            for from in group.replicas.indices {
                for to in group.replicas.indices where from != to {
                    try await group.copy(from, to: to, at: walls[to])
                }
            }
        }
    }

    @Test(arguments: [hour, .zero - hour], 0..<5)
    func `an edit never loses to one its author knew, even if a clock is an hour wrong`(
        error: Duration, wrong: Int
    ) async throws {
        let group = try await group()
        var walls = [Timestamp](repeating: now + .seconds(10), count: 5)
        walls[wrong] = walls[wrong] + error
        let note = try await group.write(0, "0", at: walls[0])
        for round in 1...10 {
            let writer = (round * 3) % 5
            try await settle(group, walls)
            for index in walls.indices { walls[index] = walls[index] + .seconds(1) }
            _ = try await group[writer].author(
                [
                    .set(
                        collection: "test.shared/1", entity: note,
                        fields: ["last_any": .text("\(round)")])
                ],
                in: group.space.id, wallTime: walls[writer])
            try await settle(group, walls)
            for replica in group.replicas {
                let row = try await replica.read("SELECT last_any FROM shared", allowedTables: nil)
                #expect(row.first?.text("last_any") == "\(round)")
            }
        }
        try await group.expectEqual()
        for replica in group.replicas {
            #expect(await replica.spaces().allSatisfy { $0.held == 0 })
        }
    }

    @Test func `a batch dated 50 years ahead is inert and counted, and does not move the clock`()
        async throws
    {
        let group = try await group()
        var walls = [Timestamp](repeating: now + .seconds(10), count: 5)
        walls[2] = walls[2] + Self.fiftyYears
        try await group.write(2, "from the future", at: walls[2])
        try await group.write(1, "now", at: walls[1])
        try await settle(group, walls)
        let others = [0, 1, 3, 4]
        try await group.expectEqual(others)
        for index in others {
            #expect(try await group.titles(index) == ["now"])
            let summary = try #require(await group[index].spaces().first)
            #expect(summary.held == 1)
            #expect(summary.nextDue == walls[2] - Limits.stampAheadMax)
            let commit = try await group[index].author(
                [.own(collection: "test.shared/1", fields: [:])], in: group.space.id,
                wallTime: walls[index] + .milliseconds(1))
            #expect(commit.stamp.time < now + .seconds(20))
        }
        #expect(try await group.titles(2) == ["from the future", "now"])
        #expect(await group[2].digest(of: group.space.id) != nil)
        try await settle(group, walls)
        let digests = await group[0].digest(of: group.space.id)
        for replica in group.replicas {
            #expect(await replica.digest(of: group.space.id) == digests)
        }
        for index in others {
            _ = try await group[index].releaseDue(
                wallTime: walls[2] - Limits.stampAheadMax)
            #expect(await group[index].spaces().first?.nextDue == nil)
        }
        try await group.expectEqual(nil)
    }

    @Test func `a grant dated ahead grants nothing until it is due`() async throws {
        let group = try await group()
        let stranger = try Someone(seed: 99)
        for replica in group.replicas { try await replica.learn(stranger.record) }
        let future = now + Self.fiftyYears
        try await group.control(0, [.grant(stranger.person, .writer)], at: future)
        try await group.copy(0, to: 1)
        #expect(await group[0].members(in: group.space.id).count == 6)
        #expect(await group[1].members(in: group.space.id).count == 5)
        #expect(await group[0].digest(of: group.space.id) == group[1].digest(of: group.space.id))
        _ = try await group[1].releaseDue(wallTime: future)
        #expect(await group[1].members(in: group.space.id).count == 6)
    }
}
