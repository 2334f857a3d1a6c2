internal import GRDB
internal import Records

/// Checks stored batches against their authors' signatures. A batch's hash is computed from its
/// stored body and place first, and then compared with the hash that was stored with it.
struct LogAudit {
    let space: SpaceState
    let batches: BatchTable

    /// Returns the hash over the batches' hashes, `H("audit", …)`, or nil if a batch is missing.
    ///
    /// The stored hash of the batch before the range is trusted: a range proves nothing about the
    /// batches before it.
    func hash(of numbers: ClosedRange<UInt64>, in path: LogPath) throws -> Bytes32? {
        let rows = path.rows.filter { (space.logs[$0]?.high ?? 0) >= numbers.lowerBound }
        guard let first = rows.first,
            var previous = try storedHash(before: numbers.lowerBound, in: first)
        else { return nil }
        var bytes: [UInt8] = []
        var next = numbers.lowerBound
        for row in rows {
            try batches.walk(log: space.logs[row]?.number ?? 0, after: next - 1) { stored in
                guard stored.place.number == next, next <= numbers.upperBound else { return false }
                previous = header(of: stored, in: row, after: previous).hash
                bytes += previous.bytes
                next += 1
                return true
            }
        }
        return next == numbers.upperBound + 1 ? Digest.audit.hash(bytes) : nil
    }

    /// Returns, in ascending order, the batches of a row that differ from what their author signed
    /// or are missing from the middle.
    ///
    /// A signature vouches for its batch and all before it. Batches after the last signature of a
    /// log are vouched for by the hash chain alone, and batches after a gap by nothing.
    func damaged(in row: LogName) throws -> [ClosedRange<UInt64>] {
        guard let entry = space.logs[row] else { return [] }
        var damaged: [ClosedRange<UInt64>] = []
        // After a damaged batch, the next may continue the stored hash or the computed one. After a
        // gap neither is known, so the next batch counts as damaged too.
        var previous = try storedHash(before: entry.low, in: row).map { [$0] } ?? []
        var next = entry.low
        try batches.walk(log: entry.number, after: entry.low - 1) { stored in
            let place = stored.place.number
            if place > next {
                damaged.append(next...place - 1)
                previous = []
            }
            let isWhole = previous.contains { isSound(stored, in: row, after: $0) }
            if !isWhole { damaged.append(place...place) }
            let computed = previous.prefix(2).map { header(of: stored, in: row, after: $0).hash }
            previous = [stored.hash] + (isWhole ? [] : computed)
            next = place + 1
            return true
        }
        return damaged
    }

    /// Whether a stored batch is what its author signed, as far as this row and the previous
    /// batch's hash can prove.
    func isSound(
        _ stored: BatchTable.Stored, in row: LogName, after previous: BatchHash
    ) -> Bool {
        guard (try? stored.content()) != nil,
            header(of: stored, in: row, after: previous).hash == stored.hash
        else { return false }
        return stored.signature == nil || stored.isSigned(as: stored.hash, by: row.device)
    }

    /// Returns the head of a row and its computed hash, if that differs from the stored one.
    func damagedHead(
        of row: LogName
    ) throws -> (head: BatchTable.Stored, hash: BatchHash)? {
        guard let entry = space.logs[row], entry.high >= entry.low,
            let head = try batches.batch(at: BatchPlace(log: entry.number, number: entry.high)),
            let previous = try storedHash(before: entry.high, in: row)
        else { return nil }
        let hash = header(of: head, in: row, after: previous).hash
        return hash == head.hash ? nil : (head, hash)
    }

    /// Returns the stored hash of the batch before a number of a row; nil if it is missing.
    func storedHash(before first: UInt64, in row: LogName) throws -> BatchHash? {
        guard first > 1 else { return BatchHash.none }
        guard let entry = space.logs[row] else { return nil }
        // In an open space, a log may begin in the middle.
        if space.isOpen, first == entry.low, entry.origin == nil { return entry.previous }
        let holder = first > entry.low ? entry : entry.origin.flatMap { space.logs[$0] }
        guard let holder else { return nil }
        return try batches.hash(at: BatchPlace(log: holder.number, number: first - 1))
    }

    private func header(
        of stored: BatchTable.Stored, in row: LogName, after previous: BatchHash
    ) -> BatchHeader {
        let branch = stored.branch ?? space.root(of: row).branch
        return BatchHeader(
            space: space.id, log: LogName(device: row.device, branch: branch),
            number: stored.place.number, previous: previous, epoch: stored.epoch,
            stamp: stored.stamp,
            bodyHash: BatchContent.bodyHash(ofEncoded: stored.encodedContent))
    }
}

extension BatchTable.Stored {
    /// Whether the stored signature of the batch is the device's signature of a hash.
    func isSigned(as hash: BatchHash, by device: DeviceID) -> Bool {
        signature?.verifies(BatchHeader.signedBytes(of: hash), by: device.raw) ?? false
    }
}
