internal import Records

/// Merges runs into several spaces within one database transaction. A refused run does not affect
/// the others.
struct RunMerge {
    /// The work that runs cause beyond storing them.
    private var work: MergeWork
    /// The room that is left; adopt its findings if the transaction commits.
    private(set) var room: StorageRoom
    private let wallTime: Timestamp
    private let begin: (SpaceState) -> SpaceTransaction
    private var transactions: [SpaceID: SpaceTransaction] = [:]
    private var received: [(index: Int, in: SpaceTransaction, SpaceTransaction.ReceivedRun)] = []
    /// The result, complete after ``finish()``.
    private(set) var outcome = MergeOutcome()

    /// - Parameter begin: begins the transaction of a space.
    init(
        pace: RebuildPace, room: StorageRoom, wallTime: Timestamp,
        begin: @escaping (SpaceState) -> SpaceTransaction
    ) {
        work = MergeWork(pace: pace, inviters: room.inviters, wallTime: wallTime)
        self.room = room
        self.wallTime = wallTime
        self.begin = begin
    }

    /// The work that each person caused; adopt it if the transaction commits.
    var pace: RebuildPace { work.pace }

    /// Stores the new batches of a run, or records its fault.
    /// - Parameters:
    ///   - index: the run's index in the outcome.
    ///   - space: the run's space, or nil if it is not open.
    ///   - claimants: the people who claim the author's device as theirs.
    ///   - isCrowded: whether records of the space's people were left out for lack of room. Then a
    ///     run of an unknown person is no fault of the peer that sends it.
    mutating func receive(
        _ run: Run, index: Int, in space: SpaceState?, claimants: [PersonID], isCrowded: Bool
    ) throws {
        guard let space else {
            outcome.faults[index] = .unknownSpace
            return
        }
        guard !claimants.isEmpty || !isCrowded else {
            outcome.faults[index] = .noRoom(run.log.device)
            return
        }
        let transaction = try transaction(in: space)
        let before = transaction.state.space.storedBytes
        var room = room
        defer {
            room.record(
                growth: transaction.state.space.storedBytes - before, in: space.id)
            self.room = room
        }
        do {
            let run = try transaction.receive(
                run, claimants: claimants, room: &room, work: &work)
            received.append((index, transaction, run))
        } catch let fault as BatchFault {
            outcome.faults[index] = fault
        }
    }

    private mutating func transaction(in space: SpaceState) throws -> SpaceTransaction {
        if let known = transactions[space.id] { return known }
        let transaction = begin(space)
        // Held batches may make the space merge again too. Otherwise they are due after this merge.
        if space.hasDue(wallTime: wallTime), work.permitsRebuild(of: space) {
            try transaction.releaseDue()
        }
        transactions[space.id] = transaction
        return transaction
    }

    /// Merges all received batches.
    /// - Returns: the effects on each space.
    mutating func finish() throws -> [SpaceTransaction.Result] {
        let ordered = transactions.sorted { $0.key < $1.key }.map(\.value)
        for transaction in ordered {
            outcome.commits += try transaction.finish()
            work.correct(for: transaction)
        }
        for (index, transaction, run) in received {
            guard let head = try transaction.head(containing: run) else { continue }
            outcome.heads[index] = head
            guard let numbers = run.new else { continue }
            let space = transaction.state.space.id
            outcome.stored.append(.init(space: space, log: head.log, numbers: numbers))
        }
        return ordered.map(\.result)
    }
}
