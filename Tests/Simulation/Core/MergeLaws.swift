internal import Foundation
internal import Identity
internal import Records
internal import Replica
internal import TestSupport

/// Tests that merging is idempotent, commutative and associative. Histories are delivered to two
/// replicas in two orders and two groupings, with repetitions. The tables of both must equal the
/// reference model: before and after batches dated ahead are due, and after a rebuild.
///
/// A seed is a group of people with one history in each of their spaces.
package struct MergeLaws: Sendable {
    /// The seed.
    package let seed: UInt64
    /// The number of delivered histories.
    package private(set) var historyCount = 0
    /// The counts of observed events.
    package private(set) var tally = Tally()
    /// The first broken promise, or nil.
    package private(set) var violation: Violation?

    /// The time by which batches are dated ahead in order to be held, in milliseconds.
    static let farMilliseconds = 2 * 24 * 60 * 60 * 1000
    private static let peopleCount = 12

    /// Tests a seed's histories.
    /// - Parameters:
    ///   - directory: the directory for the replicas' files, which is removed with the run.
    ///   - executor: the executor of the caller and of the replicas.
    init(seed: UInt64, directory: String, on executor: any SerialExecutor) async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        self.seed = seed
        var chance = SeededGenerator(seed: seed)
        let people = try (0..<MergeLaws.peopleCount).map { _ in
            try Person(deviceCount: chance.number(1...2), using: &chance)
        }
        let histories = try MergeLaws.histories(of: people, using: &chance)
        historyCount = histories.count
        tally.count("histories", histories.count)
        for history in histories {
            tally.count("batches", history.batches.count)
            tally.count("operations", history.batches.reduce(0) { $0 + $1.operations.count })
        }
        do {
            var replicas: [Replica] = []
            for number in 0...1 {
                let home = try NodeHome("\(directory)/\(number)")
                let replica = try home.open(
                    people[number].devices[0], seed: seed, on: executor)
                try await MergeLaws.deliver(histories, of: people, to: replica, using: &chance)
                replicas.append(replica)
            }
            try await MergeLaws.check(histories, replicas)
        } catch let found as Violation {
            violation = found
        }
    }

    private static func histories(
        of people: [Person], using chance: inout SeededGenerator
    ) throws -> [LawHistory] {
        var histories: [LawHistory] = []
        for (index, one) in people.enumerated() {
            for space in [SpaceDescriptor.own(one.id), .card(one.id)] {
                histories.append(
                    try LawHistory(in: space, by: [one], among: people, using: &chance))
            }
            for other in people.dropFirst(index + 1) {
                histories.append(
                    try LawHistory(
                        in: .between(one.id, other.id), by: [one, other], among: people,
                        using: &chance))
            }
        }
        return histories
    }

    /// Merges all histories in a random order, a few runs at a time.
    private static func deliver(
        _ histories: [LawHistory], of people: [Person], to replica: Replica,
        using chance: inout SeededGenerator
    ) async throws {
        for person in people { try await replica.learn(person.record) }
        for history in histories { try await replica.open(history.space) }
        for history in histories.shuffled(using: &chance) {
            var rest = history.delivery(using: &chance)[...]
            while !rest.isEmpty {
                let count = min(rest.count, chance.number(1...6))
                let outcome = try await replica.merge(
                    Array(rest.prefix(count)), wallTime: World.epoch)
                if let fault = outcome.faults.values.first {
                    throw Violation(.unrefused, "\(fault)")
                }
                rest = rest.dropFirst(count)
            }
        }
    }

    private static func check(_ histories: [LawHistory], _ replicas: [Replica]) async throws {
        for replica in replicas {
            try await compare(histories, replica) {
                $0.stamp.time <= World.epoch + Limits.stampAheadMax
            }
        }
        let far = World.epoch + .milliseconds(farMilliseconds) * 20
        for replica in replicas {
            _ = try await replica.releaseDue(wallTime: far)
            try await compare(histories, replica) { _ in true }
        }
        for history in histories { try await replicas[0].rebuild(history.space.id) }
        try await compare(histories, replicas[0]) { _ in true }
        for history in histories {
            let digests = [
                await replicas[0].digest(of: history.space.id),
                await replicas[1].digest(of: history.space.id),
            ]
            guard digests[0] != digests[1] else { continue }
            throw Violation(.equal, "the digests of \(history.space.id.suffix)")
        }
    }

    private static func compare(
        _ histories: [LawHistory], _ replica: Replica,
        counting: (ReferenceModel.Batch) -> Bool
    ) async throws {
        let notes = try await replica.notes()
        let spaces = await replica.spaces()
        for history in histories {
            let model = ReferenceModel(
                history.batches.filter(counting), in: history.space, .simulatedNote)
            let shown = notes[history.space.id] ?? [:]
            guard let space = spaces.first(where: { $0.id == history.space.id }) else { continue }
            if shown != model.notes {
                let entity = Set(shown.keys).union(model.notes.keys).sorted().first {
                    shown[$0] != model.notes[$0]
                }
                let difference = NoteRow.difference(
                    entity.flatMap { shown[$0] }, entity.flatMap { model.notes[$0] })
                throw Violation(.merged, "\(history.space.id.suffix): \(difference)")
            }
            guard (space.void, space.waiting) != (model.voidCount, model.waitingCount) else {
                continue
            }
            throw Violation(
                .merged,
                "\(history.space.id.suffix): \(space.void) void and \(space.waiting) waiting, "
                    + "not \(model.voidCount) and \(model.waitingCount)")
        }
    }
}
