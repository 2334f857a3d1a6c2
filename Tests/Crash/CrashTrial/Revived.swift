internal import Foundation
internal import TestSupport

/// A replica that is opened on what a power cut left. At times power goes again while it recovers.
struct Revived {
    let workload: Workload
    let home: Directory
    let image: [String: Data]
    let isSynced: Bool
    /// What it may hold.
    let allowed: Set<Fingerprint>
    /// That of the last start that was acknowledged.
    let startCount: Int64

    /// How many of a hundred are cut a second time.
    private static let secondCutShare = 10

    /// Judges what is there, and whether one can go on with it.
    /// - Throws: ``Verdict``.
    func judge(_ generator: inout SeededGenerator) async throws {
        var subject = Subject(
            workload.cast, in: try home.make("image", holding: image), isSynced: isSynced)
        guard isSynced, generator.chance(Revived.secondCutShare) else {
            let found = try await subject.reopen(allowed: allowed, after: startCount)
            if isSynced {
                try await subject.verify(found)
                try await subject.goOn(at: workload.endMilliseconds)
            }
            return try await subject.close()
        }
        RecordingDisk.watch(subject.directory)
        let acknowledged: [ReplicaState]
        do {
            defer { RecordingDisk.unwatch() }
            acknowledged = try await live(&subject)
        }
        let events = RecordingDisk.events
        subject.abandon()
        try await judgeAgain(events, acknowledged, &generator)
    }

    /// Recovers and goes on, with a note for each thing that was acknowledged.
    private func live(_ subject: inout Subject) async throws -> [ReplicaState] {
        _ = try await subject.reopen(allowed: allowed, after: startCount)
        guard let replica = subject.replica else { return [] }
        RecordingDisk.note(0)
        let recovered = try await ReplicaState(of: replica)
        try await subject.goOn(at: workload.endMilliseconds)
        RecordingDisk.note(1)
        return [recovered, try await ReplicaState(of: replica)]
    }

    /// Cuts the recovery at a moment of chance.
    private func judgeAgain(
        _ events: [DiskEvent], _ states: [ReplicaState], _ generator: inout SeededGenerator
    ) async throws {
        var model = DiskModel(image)
        var acknowledged = -1
        for event in events.prefix(generator.number(0...events.count)) {
            if case .note(let number) = event.action { acknowledged = number }
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
