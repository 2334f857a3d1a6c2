internal import Records

/// Cuts runs out of a stored log, so that each ends at a batch whose signature is kept.
struct RunReader {
    let batches: BatchTable

    /// The next run after a batch, or nil where there is nothing more.
    func run(of log: LogName, number: Int64, after last: UInt64, bytesMax: Int) throws -> Run? {
        var links: [Run.Link] = []
        var best: (count: Int, epoch: UInt64, signature: Signature)?
        var size = RunReader.frameworkBytesMax
        var epoch: UInt64?
        try batches.walk(log: number, after: last) { stored in
            guard stored.epoch == epoch ?? stored.epoch, links.count < Limits.runBatchesMax
            else { return false }
            epoch = stored.epoch
            let body = try BatchBody(decoding: stored.body)
            size += stored.body.count + body.runOverheadBytesMax
            guard size <= bytesMax || best == nil else { return false }
            links.append(Run.Link(stamp: stored.stamp, body: body))
            if let signature = stored.signature { best = (links.count, stored.epoch, signature) }
            return size <= bytesMax || best == nil
        }
        guard let best else { return nil }
        return Run(
            log: log, firstNumber: last + 1, epoch: best.epoch,
            batches: Array(links.prefix(best.count)), signature: best.signature)
    }

    /// A run's flags, device, branch, epoch, first number, three counts and signature.
    private static let frameworkBytesMax = 1 + 32 + 32 + 10 + 10 + 3 * 5 + Signature.bytesCount
}

extension BatchBody {
    /// How much longer than its own encoding a batch can get in a run: its stamp and the count of
    /// its groups, and per group a place in the dictionary, an entry there and its collection.
    fileprivate var runOverheadBytesMax: Int {
        var groupCount = 0
        var last: Operation?
        for operation in operations {
            if operation.key != last?.key { groupCount += 1 }
            last = operation
        }
        return 10 + 3 + groupCount * (3 + 3 + 4)
    }
}
