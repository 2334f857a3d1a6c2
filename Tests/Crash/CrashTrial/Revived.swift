internal import Foundation
internal import TestSupport

/// A replica opened on the files that a power cut left. Sometimes the power fails again while it
/// recovers.
struct Revived {
    let workload: Workload
    let home: Directory
    let image: [String: Data]
    /// Whether the disk synced SQLite's log.
    let isSynced: Bool
    /// The content that it may have.
    let allowed: Set<Fingerprint>
    /// The count of the last acknowledged start.
    let startCount: Int64

    /// The percentage of replicas that are cut a second time.
    private static let secondCutShare = 10

    /// Judges its content, and whether it can continue.
    /// - Throws: ``Verdict``.
    func judge(_ generator: inout SeededGenerator) async throws {
        var subject = Subject(workload.cast, in: try home.make("image", holding: image))
        guard isSynced, generator.chance(Revived.secondCutShare) else {
            let found = try await subject.reopen(allowed: allowed, after: startCount)
            // Without syncs the file may be damaged, which closing it would find.
            guard isSynced else { return subject.abandon() }
            try await subject.verify(found)
            try await subject.writeAnother(at: workload.end)
            return try await subject.close()
        }
        RecordingDisk.watch(subject.directory)
        let acknowledged: [ReplicaState]
        do {
            defer { RecordingDisk.unwatch() }
            acknowledged = try await recover(&subject)
        }
        let events = RecordingDisk.events
        subject.abandon()
        try await judgeAgain(events, acknowledged, &generator)
    }

    /// Recovers and continues, with a marker after each acknowledged step.
    private func recover(_ subject: inout Subject) async throws -> [ReplicaState] {
        _ = try await subject.reopen(allowed: allowed, after: startCount)
        guard let replica = subject.replica else { return [] }
        RecordingDisk.mark(0)
        let recovered = try await ReplicaState(of: replica)
        try await subject.writeAnother(at: workload.end)
        RecordingDisk.mark(1)
        return [recovered, try await ReplicaState(of: replica)]
    }

    /// Cuts the recovery at a random moment.
    private func judgeAgain(
        _ events: [DiskEvent], _ states: [ReplicaState], _ generator: inout SeededGenerator
    ) async throws {
        var model = DiskModel(image)
        var acknowledged = -1
        for event in events.prefix(generator.number(0...events.count)) {
            if case .marker(let number) = event.action { acknowledged = number }
            if !event.name.hasSuffix("-shm") { model.apply(event) }
        }
        let damage = Damage.allCases[generator.number(0...Damage.allCases.count - 1)]
        let known = acknowledged < 0 ? allowed : [states[acknowledged].fingerprint]
        let underWay = acknowledged == 0 ? [states[1].fingerprint] : []
        let starts = acknowledged < 0 ? startCount : states[acknowledged].startCount
        var subject = Subject(
            workload.cast,
            in: try home.make(
                "second", holding: PowerTrial.image(model, damage, &generator)))
        let found = try await subject.reopen(allowed: known.union(underWay), after: starts)
        try await subject.verify(found)
        try await subject.close()
    }
}
