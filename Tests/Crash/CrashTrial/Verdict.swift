internal import Identity
internal import Records
internal import Replica

/// The state of a replica after a step.
struct ReplicaState: Hashable {
    let fingerprint: Fingerprint
    /// The count of the start that opened it.
    let startCount: Int64

    init(of replica: Replica) async throws {
        fingerprint = try await Fingerprint(of: replica)
        startCount = replica.startCount.inDatabase
    }
}

/// The faults of a replica that came back after a crash.
enum Verdict: Error, CustomStringConvertible {
    case doesNotOpen(any Error)
    case lost(String)
    case damaged(String)
    case differsFromRebuild(String)
    case numberUsedTwice(expected: UInt64, found: UInt64)
    case startsDisagree(StartCount)
    case startCountedTwice(Int64)

    var description: String {
        switch self {
        case .doesNotOpen(let error): "it does not open: \(error)"
        case .lost(let difference): "its state was never acknowledged: \(difference)"
        case .damaged(let found): "integrity_check found: \(found)"
        case .differsFromRebuild(let difference):
            "its tables differ from its log: \(difference)"
        case .numberUsedTwice(let expected, let found):
            "the next batch got number \(found), not \(expected)"
        case .startsDisagree(let count): "the counts of starts disagree: \(count)"
        case .startCountedTwice(let count): "start \(count) was counted before"
        }
    }

    /// Whether an acknowledged write is missing.
    var isLoss: Bool { if case .lost = self { true } else { false } }
}

extension Subject {
    /// Opens the files that a crash left, and judges them.
    /// - Parameters:
    ///   - allowed: the content they may have: everything acknowledged, with or without the step in
    ///     progress.
    ///   - startCount: the count of the last acknowledged start.
    /// - Throws: ``Verdict``.
    mutating func reopen(
        allowed: some Sequence<Fingerprint>, after startCount: Int64
    ) async throws(Verdict) -> Fingerprint {
        do { try open() } catch { throw .doesNotOpen(error) }
        guard let replica else { throw .lost("the replica is closed") }
        let found = replica.startCount
        guard !found.disagrees else { throw .startsDisagree(found) }
        guard found.inDatabase > startCount else { throw .startCountedTwice(found.inDatabase) }
        let fingerprint: Fingerprint
        do {
            // As at a node's start, files and tables are made to agree after the crash. Damaged
            // content is removed, and is then missing in the fingerprint.
            try await replica.reconcileContent(wallTime: .min)
            _ = try await replica.checkContent()
            fingerprint = try await Fingerprint(of: replica)
        } catch {
            throw .doesNotOpen(error)
        }
        let allowed = Array(allowed)
        guard allowed.contains(fingerprint) else {
            throw .lost(allowed.last.map(fingerprint.difference) ?? "nothing is allowed")
        }
        return fingerprint
    }

    /// Checks that the file is sound, and that its tables agree with its log.
    func verify(_ fingerprint: Fingerprint) async throws(Verdict) {
        guard let replica else { return }
        do {
            let pages = try await replica.read(
                "SELECT * FROM pragma_integrity_check", allowedTables: nil)
            let findings = pages.compactMap { $0.text("integrity_check") }.joined(separator: "; ")
            guard findings == "ok" else { throw Verdict.damaged(findings) }
            for space in await replica.spaces() { try await replica.rebuild(space.id) }
            let rebuilt = try await Fingerprint(of: replica)
            guard rebuilt == fingerprint else {
                throw Verdict.differsFromRebuild(fingerprint.difference(from: rebuilt))
            }
        } catch let verdict as Verdict {
            throw verdict
        } catch {
            throw .damaged("\(error)")
        }
    }

    /// Writes another batch, if a space is open to write in.
    func writeAnother(at wallTime: Timestamp) async throws(Verdict) {
        guard let replica, await replica.descriptor(of: cast.own.id) != nil else { return }
        let log = LogName(device: cast.key.id)
        let high = await replica.heads(in: cast.own.id).first { $0.log == log }?.high ?? 0
        let note = Edit.own(
            collection: RecordCollection.note.name, fields: ["title": .text("after the crash")])
        let commit: Commit
        do {
            commit = try await replica.author(
                [note], in: cast.own.id, wallTime: wallTime)
        } catch {
            throw .damaged("it cannot be written: \(error)")
        }
        guard commit.number == high + 1 else {
            throw .numberUsedTwice(expected: high + 1, found: commit.number)
        }
    }
}
