internal import Foundation
internal import Glibc
internal import Records
internal import Replica
internal import TestSupport

/// A workload in which each call to the disk is made to fail in turn.
struct FaultTrial {
    private let workload: Workload
    private let home: Directory
    /// The content of the replica after its start and after each step, if nothing fails.
    private let states: [Fingerprint]
    /// Each possible failure of each call.
    let failures: [RecordingDisk.Failure]

    /// Runs the workload once to record the replica's content, and once to record its calls.
    init(_ workload: Workload, home: Directory) async throws {
        self.workload = workload
        self.home = home
        var subject = Subject(workload.cast, in: try home.make("live"))
        try subject.open()
        var states = [try await FaultTrial.fingerprint(subject)]
        for step in workload.steps {
            try await subject.perform(step)
            states.append(try await FaultTrial.fingerprint(subject))
        }
        self.states = states
        try await subject.close()

        subject = Subject(workload.cast, in: try home.make("live"))
        RecordingDisk.watch(subject.directory)
        defer { RecordingDisk.unwatch() }
        try subject.open()
        for step in workload.steps { try await subject.perform(step) }
        failures = RecordingDisk.calls.flatMap { call in
            FaultTrial.reasons(call.kind).flatMap { reason in
                [
                    RecordingDisk.Failure(
                        calls: call.number...call.number, reason: reason, kind: call.kind),
                    RecordingDisk.Failure(
                        calls: call.number...Int.max, reason: reason, kind: call.kind),
                ]
            }
        }
    }

    private static func fingerprint(_ subject: Subject) async throws -> Fingerprint {
        guard let replica = subject.replica else { preconditionFailure("the replica is open") }
        return try await Fingerprint(of: replica)
    }

    /// Returns the ways in which a call of a kind can fail; nil is a partial write.
    private static func reasons(_ kind: RecordingDisk.Kind) -> [Int32?] {
        switch kind {
        case .open: [EIO, EMFILE]
        case .create: [EIO, ENOSPC]
        case .write: [EIO, ENOSPC, nil]
        case .map: [ENOMEM]
        case .link, .rename: [EIO, ENOSPC]
        case .read, .resize, .sync, .remove: [EIO]
        }
    }

    /// Runs the workload with one failure.
    /// - Returns: a complaint; nil if every fault was a clear refusal and nothing was lost.
    func run(_ failure: RecordingDisk.Failure) async throws -> String? {
        var life = FaultyLife(workload: workload, home: home, states: states, failure: failure)
        do {
            try await life.run()
            return nil
        } catch {
            RecordingDisk.fail(nil)
            RecordingDisk.unwatch()
            return "\(error)"
        }
    }
}
