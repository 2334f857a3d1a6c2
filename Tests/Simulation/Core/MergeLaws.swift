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
            var person = try Person(deviceCount: chance.number(1...2), using: &chance)
            if person.devices.count > 1, chance.chance(40) { try person.removeSecond() }
            return person
        }
        tally.count("removals", people.count { $0.afterRemoval != nil })
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
        let order = histories.shuffled(using: &chance)
        // Each removal becomes known before one of the histories, or after all.
        var removals = people.compactMap(\.afterRemoval).map {
            (at: chance.number(0...order.count), record: $0)
        }
        for (index, history) in order.enumerated() {
            for removal in removals where removal.at == index {
                try await replica.learn(removal.record)
            }
            var rest = history.delivery(using: &chance)[...]
            while !rest.isEmpty {
                let count = min(rest.count, chance.number(1...6))
                try await merge(
                    Array(rest.prefix(count)), into: replica,
                    mayRefuse: !history.counted.isEmpty)
                rest = rest.dropFirst(count)
            }
        }
        removals.removeAll { $0.at < order.count }
        for removal in removals { try await replica.learn(removal.record) }
        for history in order where !history.counted.isEmpty {
            try await deliverAgain(history, to: replica)
        }
    }

    /// Merges the whole logs of a history with removals: what was refused before the cuts were
    /// known is stored now, and only batches beyond a cut are still refused.
    private static func deliverAgain(_ history: LawHistory, to replica: Replica) async throws {
        let ordered = history.logs.sorted {
            (history.counted[$0.key.id] == nil ? 0 : 1)
                < (history.counted[$1.key.id] == nil ? 0 : 1)
        }
        for log in ordered where !log.batches.isEmpty {
            let outcome = try await replica.merge(
                [(history.space.id, log.run(0..<log.batches.count))], wallTime: World.epoch)
            guard let fault = outcome.faults.values.first else { continue }
            if case .beyondCut = fault, history.counted[log.key.id] != nil { continue }
            throw Violation(.unrefused, "\(fault)")
        }
    }

    /// - Parameter mayRefuse: whether a removed device's log is among the runs. Its batches wait
    ///   for the cut, and its own cuts hold others up until the removal is known.
    private static func merge(
        _ runs: [(SpaceID, Run)], into replica: Replica, mayRefuse: Bool
    ) async throws {
        let outcome = try await replica.merge(runs, wallTime: World.epoch)
        for fault in outcome.faults.values {
            switch fault {
            case .notEnded, .beyondCut, .notAMember, .gap: if mayRefuse { continue }
            default: break
            }
            throw Violation(.unrefused, "\(fault)")
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
