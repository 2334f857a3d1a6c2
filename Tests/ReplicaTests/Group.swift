import Identity
import Records
import Replica
import Testing

/// Replicas of one group, each of another device, that exchange batches as the test asks.
struct Group {
    let space: SpaceDescriptor
    let people: [Someone]
    let replicas: [Replica]

    /// Opens a group of people; the first owns it. The others are not members yet.
    /// - Parameter nonce: distinguishes this group from the owner's others.
    init(of people: [Someone], in homes: Homes, nonce: UInt8 = 1) async throws {
        let nonce = Bytes16([UInt8](repeating: nonce, count: 16)) ?? .zero
        let space = SpaceDescriptor.group(owner: people[0].person, nonce: nonce)
        self.space = space
        self.people = people
        var replicas: [Replica] = []
        for key in people.flatMap(\.devices) {
            replicas.append(
                try await homes.make().replica(
                    of: key, knowing: people, in: [space], collections: [.shared]))
        }
        self.replicas = replicas
    }

    subscript(_ index: Int) -> Replica { replicas[index] }

    func person(_ index: Int) -> PersonID { people[index].person }

    /// Grants, accepts, cuts or leaves.
    @discardableResult
    func control(
        _ index: Int, _ edits: [ControlEdit], at wall: Timestamp = now
    ) async throws -> Commit {
        try await replicas[index].control(edits, in: space.id, wallTime: wall)
    }

    /// Writes a record with a title and returns its id.
    @discardableResult
    func write(_ index: Int, _ title: String, at wall: Timestamp = now) async throws -> EntityID {
        let nonce = Bytes16(Array((title + String(repeating: " ", count: 16)).utf8.prefix(16)))
        let commit = try await replicas[index].author(
            [
                .create(
                    collection: "test.shared/1", nonce: nonce ?? .zero,
                    fields: ["title": .text(title)])
            ],
            in: space.id, wallTime: wall)
        return try #require(commit.created.first)
    }

    /// Adds people: each is granted a role by the first, accepts, and learns of the others.
    func join(_ roles: [Role]) async throws {
        for (index, role) in roles.enumerated() {
            try await control(0, [.grant(person(index + 1), role)])
            try await copy(0, to: index + 1)
            try await control(index + 1, [.accept])
            try await copy(index + 1, to: 0)
        }
        try await settle()
    }

    /// Copies the batches of one replica to another.
    /// - Returns: the runs that were refused.
    @discardableResult
    func copy(
        _ from: Int, to: Int, at wall: Timestamp = now, bytesMax: Int = 65_536
    ) async throws -> [BatchFault] {
        try await replicas[from].copy(space, to: replicas[to], at: wall, bytesMax: bytesMax)
    }

    /// Copies between all until nothing changes.
    func settle(at wall: Timestamp = now) async throws {
        try await Replica.settle(space, replicas, at: wall)
    }

    /// Returns the titles that one replica shows, sorted.
    func titles(_ index: Int) async throws -> [String] {
        try await replicas[index].read(
            "SELECT title FROM shared ORDER BY title", allowedTables: nil
        ).compactMap { $0.text("title") }
    }

    /// Expects that all are equal: digest, counts, members and every row. The list of forked
    /// devices depends on the evidence that a replica has, and may differ.
    func expectEqual(_ which: [Int]? = nil, _ note: Comment? = nil) async throws {
        let which = which ?? Array(replicas.indices)
        let first = replicas[which[0]]
        for index in which.dropFirst() {
            #expect(try await Dump(replicas[index], .shared) == Dump(first, .shared), note)
            #expect(await replicas[index].counts() == first.counts(), note)
            #expect(
                await replicas[index].members(in: space.id) == first.members(in: space.id), note)
        }
    }
}

/// The parts of a summary that follow from the batches that count alone.
struct Counts: Hashable {
    let space: SpaceDescriptor
    let digest: Bytes16
    let batches, held, void, waiting: Int

    init(_ summary: SpaceSummary) {
        space = summary.descriptor
        digest = summary.digest
        batches = summary.batches
        held = summary.held
        void = summary.void
        waiting = summary.waiting
    }
}

extension Replica {
    /// Returns the counts of each space that follow from the batches that count.
    func counts() -> [Counts] { spaces().map(Counts.init) }

    /// Copies the batches of a space to another replica, as a link would.
    /// - Parameter devices: the devices whose logs are copied; nil for all.
    @discardableResult
    func copy(
        _ space: SpaceDescriptor, to other: Replica, devices: Set<DeviceID>? = nil,
        at wall: Timestamp = now, bytesMax: Int = 65_536
    ) async throws -> [BatchFault] {
        var faults: [BatchFault] = []
        for state in logsBySeniority(in: space.id) ?? [] {
            guard devices?.contains(state.log.device) ?? true else { continue }
            let there = await other.heads(in: space.id).first { $0.log == state.log }
            var (after, prefix) = (there?.high ?? state.low - 1, there?.headHash.prefix)
            while let run = try runs(
                in: space.id, log: state.log, after: after, prefix: prefix, bytesMax: bytesMax)
            {
                let outcome = try await other.merge([(space.id, run)], wallTime: wall)
                faults += outcome.faults.values
                (after, prefix) = (run.lastNumber, nil)
            }
        }
        return faults
    }

    /// Copies between replicas until nothing changes.
    static func settle(
        _ space: SpaceDescriptor, _ replicas: [Replica], at wall: Timestamp = now
    ) async throws {
        var before: [Bytes16?] = []
        for _ in 0..<20 {
            for from in replicas {
                for to in replicas where to !== from {
                    try await from.copy(space, to: to, at: wall)
                }
            }
            var after: [Bytes16?] = []
            for replica in replicas { after.append(await replica.digest(of: space.id)) }
            if after == before { return }
            before = after
        }
        Issue.record("copying did not come to an end")
    }
}

extension RecordCollection {
    /// The fields of a note, in groups.
    static let shared = RecordCollection(
        "test.shared/1", table: "shared", spaces: [.group], indexes: [["title"]],
        fields: RecordCollection.note.fields)
}
