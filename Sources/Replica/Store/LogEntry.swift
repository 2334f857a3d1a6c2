internal import Records

extension SpaceState {
    /// One row of a log: its local number, its author's person and its last batch.
    struct LogEntry {
        let number: Int64
        var person: PersonID
        /// The row that it continues, if it is one side of a fork.
        var origin: LogName?
        /// The number of the first batch.
        var low: UInt64 = 1
        /// The hash before the first batch, if the row begins a log; in an open space the batches
        /// before it are not here.
        var previous = BatchHash.none
        /// The stamp of the batch with this hash; nil if it never was here.
        var previousStamp: Stamp?
        /// The stamp of the first batch, in an open space.
        var lowStamp = Stamp(.min)
        /// The person who brought the log, in an open space.
        var bringer: PersonID?
        /// The number of records that its batches begin, in an open space.
        var begunCount = 0
        /// The number of the last batch; `low - 1` when there is none.
        var high: UInt64 = 0
        var headHash = BatchHash.none
        var headStamp = Stamp(.min)
        /// The number up to which batches count, stored or not.
        var reach: UInt64 = 0
        /// The number of the last batch that counts; `low - 1` when there is none.
        var counted: UInt64 = 0
        /// The hash of that batch.
        var countedHash = BatchHash.none
        /// Whether its first batch names the same log and epoch as the batch before it, so that one
        /// run can carry both.
        var isInRun = true
        /// Whether this replica's own batches continue this row, if its device has several.
        var isWritten = false
        /// The bytes that its batches are counted with in quotas, whether they count or not.
        var bytes = 0
        /// The number of the last batch whose bytes the file's count includes; 0 if that count is
        /// out of date.
        var summed: UInt64 = 0
        /// The number of the last void batch whose body was dropped to make room.
        var emptiedThrough: UInt64 = 0
        /// The rows of its batches in tables whose length the author decides.
        var rows = RowCounts()
        /// The counts of these rows in the file.
        var storedRows = RowCounts()

        /// The bytes that its batches and these rows are counted with in quotas.
        var storedBytes: Int { bytes + rows.storedBytes }

        /// Whether any batch counts.
        var counts: Bool { counted >= low }

        /// Whether no batch is stored. In an open space, a row of this replica's own device stays
        /// as the end of its log.
        var isEmpty: Bool { high < low }

        /// Makes a batch the new head.
        mutating func append(_ batch: CheckedBatch) {
            high = batch.header.number
            headHash = batch.hash
            headStamp = batch.header.stamp
            bytes += batch.content.storedBytes
            guard high <= reach else { return }
            counted = high
            countedHash = headHash
        }
    }
}
