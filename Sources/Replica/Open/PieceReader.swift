internal import Records

/// Reads pieces of one log of an open space, for peers that ask.
struct PieceReader {
    private let space: SpaceState
    private let path: LogPath
    private let batches: BatchTable

    init(_ space: SpaceState, _ path: LogPath, _ batches: BatchTable) {
        (self.space, self.path, self.batches) = (space, path, batches)
    }

    /// Returns the piece that answers a question, with the hash before it; nil if there is none.
    func piece(_ ask: LogAsk) throws -> (previous: BatchHash, run: Run)? {
        let run: Run? =
            switch ask.position {
            case .after(let number, let prefix): try self.run(after: number, prefix, ask.bytesMax)
            case .before(let number): try self.run(before: number, ask.bytesMax)
            }
        guard let run, let previous = try hash(before: run.firstNumber) else { return nil }
        return (previous, run)
    }

    /// If another batch is at this number here, the run begins at the beginning of the log, and the
    /// asker finds the last shared batch.
    private func run(after number: UInt64, _ prefix: UInt64, _ bytesMax: Int) throws -> Run? {
        let (low, high) = (path.state.low, path.state.high)
        guard number > 0 else { return try read(after: low - 1, bytesMax) }
        guard (low - 1...high).contains(number) else { return nil }
        let isShared = try hash(before: number + 1)?.prefix == prefix
        guard isShared else { return try read(after: low - 1, bytesMax) }
        return number < high ? try read(after: number, bytesMax) : nil
    }

    /// Returns a run that ends with the batch before a number, or later if only a later one has a
    /// signature.
    private func run(before number: UInt64, _ bytesMax: Int) throws -> Run? {
        let low = path.state.low
        guard number > low, number - 1 <= path.state.high else { return nil }
        var first = try firstNumber(before: number, bytesMax)
        // A shorter run ends earlier if further batches do not fit, or name another log in their
        // headers.
        while let run = try read(after: first - 1, bytesMax) {
            guard run.lastNumber < number - 1 else { return run }
            first = run.lastNumber + 1
        }
        return nil
    }

    /// Returns the number from which batches up to another number take so many bytes.
    private func firstNumber(before number: UInt64, _ bytesMax: Int) throws -> UInt64 {
        var (first, bytes) = (number - 1, 0)
        for row in path.rows.reversed() {
            guard let entry = space.logs[row], entry.low < number else { continue }
            try batches.walkBack(log: entry.number, before: min(number, entry.high + 1)) { stored in
                bytes += stored.encodedContent.count + RunReader.frameworkBytesMax
                guard bytes <= bytesMax || stored.place.number == number - 1 else { return false }
                first = stored.place.number
                return true
            }
            guard first == entry.low else { break }
        }
        return first
    }

    private func read(after number: UInt64, _ bytesMax: Int) throws -> Run? {
        try RunReader(batches: batches, space: space)
            .run(of: path, after: number, bytesMax: bytesMax)
    }

    /// Returns the hash of the batch before a number, which may be the one before the log begins.
    private func hash(before number: UInt64) throws -> BatchHash? {
        let row = path.rows.first { space.logs[$0].map { number - 1 <= $0.high } ?? false }
        guard let row else { return nil }
        return try LogAudit(space: space, batches: batches).storedHash(before: number, in: row)
    }
}

extension BatchTable {
    /// Visits the batches of a row before a number, the last one first.
    /// - Parameter visit: returns whether to continue.
    fileprivate func walkBack(
        log: Int64, before number: UInt64, _ visit: (Stored) throws -> Bool
    ) throws {
        let statement = try PreparedStatement(
            nesting: database,
            """
            SELECT \(BatchTable.columns) FROM batch
            WHERE id >= ? AND id < ? ORDER BY id DESC
            """)
        try statement.rows({
            $0.append(BatchPlace.rows(ofLog: log).lowerBound)
            $0.append(BatchPlace(log: log, number: min(number, Limits.batchNumberMax)).rowID)
        }) { try visit(BatchTable.stored($0)) }
    }
}
