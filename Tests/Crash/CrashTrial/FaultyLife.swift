internal import Foundation
internal import Records
internal import Replica
internal import TestSupport

/// One run of a replica on a disk that fails once, or from some call on until it is repaired.
struct FaultyLife {
    private let workload: Workload
    private let home: Directory
    private let states: [Fingerprint]
    private let failure: RecordingDisk.Failure
    private var subject: Subject
    private var model = DiskModel()
    private var restartCount = 0

    init(
        workload: Workload, home: Directory, states: [Fingerprint],
        failure: RecordingDisk.Failure
    ) {
        self.workload = workload
        self.home = home
        self.states = states
        self.failure = failure
        subject = Subject(workload.cast, in: home.path + "/live")
    }

    /// The outcomes that a failing disk must not cause.
    enum Complaint: Error, CustomStringConvertible {
        case untyped(String, any Error)
        case changed(String)
        case stillRefused(String, any Error)
        case wrong(String, Verdict)

        var description: String {
            switch self {
            case .untyped(let step, let error):
                "\(step) threw \(type(of: error)), which is not a ReplicaFault: \(error)"
            case .changed(let step): "\(step) threw, but changed something"
            case .stillRefused(let step, let error):
                "\(step) is refused although the disk works again: \(error)"
            case .wrong(let moment, let verdict): "\(moment): \(verdict)"
            }
        }
    }

    mutating func run() async throws {
        subject = Subject(workload.cast, in: try home.make("live"))
        RecordingDisk.watch(subject.directory)
        RecordingDisk.fail(failure)
        try await attempt("open", doing: { try $0.open() }, after: nil)
        for (index, step) in workload.steps.enumerated() {
            try await attempt(
                step.action.name, doing: { try await $0.perform(step) }, after: index)
        }
        RecordingDisk.fail(nil)
        try await judgeLiving()
        try await judgePowerCut()
        try await judgeRestart()
    }

    /// Repeats a step until it succeeds. The disk is repaired after two refusals.
    /// - Parameter state: the index of the state before the step; nil before the first start.
    private mutating func attempt(
        _ name: String, doing: (inout Subject) async throws -> Void, after state: Int?
    ) async throws {
        for refusalCount in 0... {
            let before = await subject.replica?.spaces()
            do {
                return try await doing(&subject)
            } catch let fault as ReplicaFault {
                let after = await subject.replica?.spaces()
                guard subject.replica == nil || after == before else {
                    throw Complaint.changed(name)
                }
                if refusalCount > 0 { RecordingDisk.fail(nil) }
                if refusalCount > 2 { throw Complaint.stillRefused(name, fault) }
                guard fault.needsRestart else { continue }
                if try await restart(after: state) { return }
            } catch {
                throw Complaint.untyped(name, error)
            }
        }
    }

    /// Ends the process at once and starts it again, on the files as the system shows them.
    /// - Returns: whether the failed step turns out to be done.
    private mutating func restart(after state: Int?) async throws -> Bool {
        RecordingDisk.fail(nil)
        for event in RecordingDisk.events { model.apply(event) }
        RecordingDisk.unwatch()
        restartCount += 1
        let name = "restart \(restartCount)"
        let left = try home.contents(URL(fileURLWithPath: subject.directory).lastPathComponent)
        subject.abandon()
        subject = Subject(
            workload.cast,
            in: try home.make(name, holding: left.filter { !$0.key.hasSuffix("-shm") }))
        RecordingDisk.watch(subject.directory)
        guard let state else {
            try subject.open()
            return true
        }
        let allowed = states[state...state + 1]
        do {
            let found = try await subject.reopen(allowed: allowed, after: 0)
            return found == states[state + 1] && states[state] != states[state + 1]
        } catch {
            throw Complaint.wrong("after the restart that \(failure) led to", error)
        }
    }

    /// Checks that all steps are there, since all were acknowledged in the end.
    private func judgeLiving() async throws {
        guard let replica = subject.replica else { return }
        // A failing disk may have postponed these two steps, which a node repeats later.
        try await replica.reconcileContent(wallTime: .min)
        if states.last?.isScrubDue == false { _ = try await replica.scrub() }
        let fingerprint = try await Fingerprint(of: replica)
        guard fingerprint == states.last else {
            throw Complaint.wrong("at the end", .lost(difference(fingerprint)))
        }
    }

    /// Cuts the power at the end, which loses everything that is not synced.
    private mutating func judgePowerCut() async throws {
        for event in RecordingDisk.events { model.apply(event) }
        RecordingDisk.unwatch()
        var generator = SeededGenerator(seed: 1)
        let left = PowerTrial.image(model, .dropped, &generator)
        var revived = Subject(workload.cast, in: try home.make("image", holding: left))
        do {
            let found = try await revived.reopen(allowed: states.suffix(1), after: 0)
            try await revived.verify(found)
        } catch {
            throw Complaint.wrong("after a power cut at the end", error)
        }
        try await revived.close()
    }

    private mutating func judgeRestart() async throws {
        try await subject.close()
        do {
            _ = try await subject.reopen(allowed: states.suffix(1), after: 0)
        } catch {
            throw Complaint.wrong("after the next start", error)
        }
        try await subject.close()
    }

    private func difference(_ found: Fingerprint) -> String {
        states.last.map(found.difference) ?? ""
    }
}
