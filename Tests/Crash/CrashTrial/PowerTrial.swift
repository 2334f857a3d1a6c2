internal import Foundation
internal import Records
internal import Replica
internal import TestSupport

/// A recorded workload, and the files that a power cut at each moment of it leaves.
struct PowerTrial {
    let seed: UInt64
    private let workload: Workload
    private let home: Directory
    private let isSynced: Bool
    private let events: [DiskEvent]
    /// The state of the replica after its start and after each step; a marker in the recording
    /// shows when each was acknowledged.
    private let states: [ReplicaState]
    /// The events after which the power may fail: those that changed something.
    private let moments: [Int]

    /// Records a workload.
    /// - Parameter isSynced: whether the disk syncs SQLite's log, which it does not in the control.
    init(_ workload: Workload, seed: UInt64, home: Directory, isSynced: Bool = true) async throws {
        self.workload = workload
        self.seed = seed
        self.home = home
        self.isSynced = isSynced
        var subject = Subject(workload.cast, in: try home.make("live"))
        RecordingDisk.watch(subject.directory)
        defer { RecordingDisk.unwatch() }
        if !isSynced { RecordingDisk.skipSyncs(of: Cast.logName) }
        try subject.open()
        var states: [ReplicaState] = []
        try await PowerTrial.acknowledge(subject, &states)
        for step in workload.steps {
            try await subject.perform(step)
            try await PowerTrial.acknowledge(subject, &states)
        }
        let events = RecordingDisk.events
        self.events = events
        self.states = states
        moments = events.indices.filter { PowerTrial.isDurable(events[$0]) && events[$0].isChange }
        try checkThatNothingEscaped()
    }

    private static func acknowledge(
        _ subject: Subject, _ states: inout [ReplicaState]
    ) async throws {
        guard let replica = subject.replica else { return }
        RecordingDisk.mark(states.count)
        states.append(try await ReplicaState(of: replica))
    }

    /// Whether a power cut can leave the effect of an event. The index of SQLite's log is made
    /// again by the first process that opens the database.
    private static func isDurable(_ event: DiskEvent) -> Bool { !event.name.hasSuffix("-shm") }

    /// Checks that playing the recording gives exactly the files that are there.
    private func checkThatNothingEscaped() throws {
        var model = DiskModel()
        for event in events where PowerTrial.isDurable(event) { model.apply(event) }
        let there = try home.contents("live").filter { !$0.key.hasSuffix("-shm") }
        guard model.seen == there else {
            throw TrialFault.escaped(
                Set(there.keys).union(model.seen.keys).filter { there[$0] != model.seen[$0] })
        }
    }

    // MARK: Cuts

    /// A moment and a damage.
    struct Cut {
        let number: Int
        let damage: Damage
        let moment: Int
    }

    /// The number of cuts.
    var cutCount: Int { moments.count * Damage.allCases.count }

    private func cut(_ number: Int) -> Cut {
        let damages = Damage.allCases
        return Cut(
            number: number, damage: damages[number % damages.count],
            moment: moments[number / damages.count])
    }

    /// Tries cuts, in the order of their numbers.
    /// - Parameter report: receives each cut and its complaint, nil if it has none.
    func run(
        _ numbers: some Sequence<Int>, report: (Cut, Verdict?) async throws -> Void
    ) async throws {
        var model = DiskModel()
        var next = 0
        var acknowledged = -1
        for cut in numbers.map(cut) {
            while next <= cut.moment {
                if case .marker(let number) = events[next].action { acknowledged = number }
                if PowerTrial.isDurable(events[next]) { model.apply(events[next]) }
                next += 1
            }
            try await report(cut, try await verdict(cut, model, acknowledged))
        }
    }

    private func verdict(
        _ cut: Cut, _ model: DiskModel, _ acknowledged: Int
    ) async throws -> Verdict? {
        var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(cut.number))
        let image = PowerTrial.image(model, cut.damage, &generator)
        let allowed = states[max(0, acknowledged)...min(acknowledged + 1, states.count - 1)]
        let starts = acknowledged < 0 ? 0 : states[acknowledged].startCount
        let revived = Revived(
            workload: workload, home: home, image: image, isSynced: isSynced,
            allowed: Set(allowed.map(\.fingerprint)), startCount: starts)
        do {
            try await revived.judge(&generator)
            return nil
        } catch let verdict as Verdict {
            return verdict
        }
    }

    /// Returns the files that the next start finds, sometimes with random bytes in the index of the
    /// log.
    static func image(
        _ model: DiskModel, _ damage: Damage, _ generator: inout SeededGenerator
    ) -> [String: Data] {
        var image = model.afterPowerCut(damage, using: &generator)
        if generator.chance(30) {
            image[Cast.fileName + "-shm"] = Data(generator.bytes(32_768))
        }
        return image
    }
}
