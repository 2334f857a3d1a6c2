internal import Records

// Batches that are passed without their body. An erased batch is passed so, but anybody who passes
// on a log can leave a body out: the signature proves only its hash.
//
// Example: Ann erased her batch 7 by her batch 9. A piece with 5 to 9 explains it. A piece with 5
// to 7 does not: of a log that is not here, nothing through 7 is stored, and the peers are asked
// for it again once 9 is here. If Ann's log is here up to 6, the piece is refused, and other links
// are asked.
extension SpaceTransaction {
    func isExpired(_ batch: CheckedBatch) -> Bool {
        Expiry.isExpired(batch.header.stamp, wallTime: wallTime)
    }

    /// Returns the batches with which a log may begin here: those after the last one that has
    /// expired, and after the last one without a body that no erase explains.
    /// - Throws: ``BatchFault/gap(expected:found:)`` if only such a batch leaves none.
    func usable(_ batches: [CheckedBatch], of passed: Passed) throws -> [CheckedBatch] {
        let fresh = Array(batches.drop(while: isExpired))
        guard let number = try lastUnexplained(in: fresh, of: passed) else { return fresh }
        let usable = Array(fresh.drop { $0.header.number <= number })
        guard !usable.isEmpty else { throw missingBody(number) }
        return usable
    }

    /// Refuses a piece with a batch without a body that no erase explains.
    func requireExplained(_ batches: [CheckedBatch], of passed: Passed) throws {
        if let number = try lastUnexplained(in: batches, of: passed) { throw missingBody(number) }
    }

    /// The fault of a piece that lacks a batch.
    private func missingBody(_ number: UInt64) -> BatchFault {
        .gap(expected: number, found: number + 1)
    }

    /// Returns the number of the last batch without a body that neither a stored erase nor one in
    /// the same piece explains. The author's own person is believed.
    private func lastUnexplained(
        in batches: [CheckedBatch], of passed: Passed
    ) throws -> UInt64? {
        guard passed.sender != passed.person, batches.contains(where: { $0.body == nil }) else {
            return nil
        }
        var erased: Set<BatchHash> = []
        for batch in passed.run.batches {
            guard let body = batch.body, body.hasControl else { continue }
            for case .erase(let name) in body.operations.lazy.map(\.action) {
                erased.insert(name.hash)
            }
        }
        let unexplained = try batches.last { batch in
            try batch.body == nil && !erased.contains(batch.hash)
                && !isErased(batch.content, named: batch.name, by: passed.person)
        }
        return unexplained?.header.number
    }
}
