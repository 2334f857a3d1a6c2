internal import Records

/// Reads runs from a stored log; each ends at a batch with a stored signature.
struct RunReader {
    let batches: BatchTable
    let space: SpaceState

    /// The run collected so far.
    private struct Draft {
        var links: [Run.Link] = []
        var provenCount = 0
        var signature: Signature?
        var size = RunReader.frameworkBytesMax
        var epoch: UInt64?
        var branch: BranchName?
        /// The number of the next batch.
        var next: UInt64
    }

    /// Returns the next run after a batch, or nil if no further batch counts. If the last batch
    /// that counts has no signature of its own, the run continues to one that has.
    func run(of path: LogPath, after last: UInt64, bytesMax: Int) throws -> Run? {
        guard last < path.state.high else { return nil }
        let first = max(last + 1, path.state.low)
        for rows in continuations(of: path.rows) {
            let run = try run(of: path, in: rows, from: first, bytesMax: bytesMax)
            if let run { return run }
        }
        return nil
    }

    private func run(
        of path: LogPath, in rows: [LogName], from first: UInt64, bytesMax: Int
    ) throws -> Run? {
        var draft = Draft(next: first)
        var isOpen = true
        for row in rows where isOpen {
            guard let entry = space.logs[row], entry.high >= first else { continue }
            let root = space.root(of: row)
            try batches.walk(log: entry.number, after: max(entry.low, first) - 1) { stored in
                isOpen = try append(stored, root, to: &draft, path.state.high, bytesMax)
                return isOpen
            }
        }
        guard let signature = draft.signature, let branch = draft.branch else { return nil }
        return Run(
            log: LogName(device: path.state.log.device, branch: branch), firstNumber: first,
            epoch: draft.epoch ?? 0, batches: Array(draft.links.prefix(draft.provenCount)),
            signature: signature)
    }

    /// Returns the rows of a log, continued by each row after its end: the signature that proves
    /// the end may be there.
    private func continuations(of rows: [LogName]) -> [[LogName]] {
        guard let last = rows.last else { return [] }
        let sides = space.sides(of: last)
        return sides.isEmpty ? [rows] : sides.flatMap { continuations(of: rows + [$0]) }
    }

    /// - Returns: whether to continue.
    /// - Throws: ``RecordFault`` if the run would begin with a batch that is unreadable or missing.
    private func append(
        _ stored: BatchTable.Stored, _ root: LogName, to draft: inout Draft, _ high: UInt64,
        _ bytesMax: Int
    ) throws -> Bool {
        let branch = stored.branch ?? root.branch
        guard stored.epoch == draft.epoch ?? stored.epoch, branch == draft.branch ?? branch,
            draft.links.count < Limits.runBatchesMax,
            stored.place.number <= high || draft.signature == nil
        else { return false }
        guard stored.place.number == draft.next else {
            // Without the batch in between, the signature of the run would not fit.
            guard draft.signature == nil else { return false }
            throw RecordFault.truncated
        }
        draft.next += 1
        (draft.epoch, draft.branch) = (stored.epoch, branch)
        let content = try stored.content()
        draft.size += stored.encodedContent.count + content.runOverheadBytesMax
        guard draft.size <= bytesMax || draft.signature == nil else { return false }
        draft.links.append(Run.Link(stamp: stored.stamp, content: content))
        if let signature = stored.signature {
            (draft.provenCount, draft.signature) = (draft.links.count, signature)
        }
        return draft.size <= bytesMax || draft.signature == nil
    }

    /// A run's flags, device, branch, epoch, first number, three counts and signature.
    static let frameworkBytesMax = 1 + 32 + 32 + 10 + 10 + 3 * 5 + Signature.bytesCount
}

extension BatchContent {
    /// The bytes that a batch can need in a run beyond its own encoding: its stamp and its number
    /// of groups, and per group an index into the dictionary, an entry there and its collection.
    fileprivate var runOverheadBytesMax: Int {
        var groupCount = 0
        var last: Operation?
        for operation in body?.operations ?? [] {
            if operation.key != last?.key { groupCount += 1 }
            last = operation
        }
        return 10 + 3 + groupCount * (3 + 3 + 4)
    }
}
