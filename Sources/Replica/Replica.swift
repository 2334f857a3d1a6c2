internal import Foundation
internal import GRDB
public import Identity
public import Records
internal import Synchronization

/// The store of one device: the spaces' logs and what is merged from them, in one SQLite file.
///
/// Its methods run on a queue of its own and wait for the disk there. What a method has returned
/// is synced: it is there after a kill or a power cut.
public actor Replica {
    /// The device whose replica this is.
    public nonisolated let device: DeviceID
    /// How often this replica was started, by the database and by the file beside it.
    public nonisolated let startCount: StartCount

    /// Whether a repair cut a log of this device's before this start: numbers that it signed are
    /// free again here, so only a new key may write.
    public nonisolated let hasCutOwnLog: Bool

    nonisolated let path: String
    nonisolated let pool: DatabasePool
    private nonisolated let executor: any SerialExecutor
    /// Reads wait for the disk on threads of their own, unless the replica was given an executor.
    nonisolated let readsOnCaller: Bool
    nonisolated let permittedReads = PermittedReads()
    let key: DeviceKey
    let catalog: Catalog
    private var randomness: any RandomNumberGenerator & Sendable
    nonisolated let states: SpaceStates
    private var people: [PersonID: PersonRecord]
    /// Whether the files may still hold bytes of what was erased; see ``scrub()``.
    public internal(set) var isScrubDue: Bool { didSet { noteUpkeep() } }
    /// Who lists a device as theirs, in the order in which that was learned.
    private var claims: [DeviceID: [PersonID]]

    /// Why nothing more is written until the replica is opened anew; nil while all is well.
    public private(set) var ending: ReplicaFault? { didSet { noteUpkeep() } }
    nonisolated let seenUpkeep: Mutex<Upkeep>

    /// What the actor's methods run on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Opens the store, or makes it where there is none.
    /// - Parameters:
    ///   - path: the database file. Beside it SQLite keeps its log, and the replica `starts`.
    ///   - key: the device's own key, which signs what is authored here.
    ///   - collections: what is materialised; batches of others are kept and passed on.
    ///   - views: made anew at each start, over the collections' tables and the core's views.
    ///   - randomness: where salts come from.
    ///   - executor: what the replica's methods run on, its reads on whoever calls them; queues of
    ///     its own where none is given.
    /// - Throws: ``ReplicaFault``; a file that cannot be used is left as it is.
    public init(
        path: String, key: DeviceKey, collections: [RecordCollection], views: [ReplicaView],
        randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        executor: (any SerialExecutor)? = nil
    ) throws {
        let catalog = try Catalog(collections)
        let file = ReplicaFile(path: path)
        let opened = try ReplicaFault.translating(path: path) {
            try file.open(catalog: catalog, views: views, device: key.id)
        }
        self.path = path
        self.key = key
        self.catalog = catalog
        self.randomness = randomness
        device = key.id
        pool = opened.pool
        startCount = opened.startCount
        self.executor = executor ?? QueueExecutor(label: "waggle.replica")
        readsOnCaller = executor != nil
        people = Dictionary(
            opened.people.map { ($0.person, $0) }, uniquingKeysWith: { first, _ in first })
        claims = opened.claims
        isScrubDue = opened.isScrubDue
        seenUpkeep = Mutex(Upkeep(isScrubDue: opened.isScrubDue))
        hasCutOwnLog = opened.hasCutOwn
        states = SpaceStates(opened.spaces)
    }

    /// Whether a start was counted in the database but not in the file beside it, or the other
    /// way round: a backup was restored or a disk cloned.
    public nonisolated var startCountsDisagree: Bool { startCount.disagrees }

    /// Ends a disagreement, once the device has made sure that it holds all of its own logs.
    public func settleStartCounts() throws {
        try StartCounter(pool: pool, file: ReplicaFile(path: path).starts).settle(startCount)
    }

    /// Brings everything into the one file and closes it; nothing may be asked afterwards.
    public func close() throws {
        try scrub()
        try ReplicaFault.translating(path: path) {
            _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try pool.close()
        }
    }

    // MARK: People

    /// Learns who owns which devices, or more about it.
    public func learn(_ record: PersonRecord) throws {
        let person = record.person
        let merged = try people[person]?.merging(record) ?? record
        guard merged != people[person] else { return }
        claims = try write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO person VALUES (?, ?)",
                arguments: [person.sql, merged.encoded.sql])
            let known = Set(people[person]?.devices ?? [])
            for device in known.subtracting(merged.devices) {
                try database.execute(
                    sql: "DELETE FROM device WHERE device = ? AND person = ?",
                    arguments: [device.sql, person.sql])
            }
            for device in merged.devices.subtracting(known).sorted() {
                try database.execute(
                    sql: "INSERT INTO device (device, person) VALUES (?, ?)",
                    arguments: [device.sql, person.sql])
            }
            let claims = try StateLoader(database: database).claims()
            if let own = claims[device]?.first { try nameCounterparts(of: own, in: database) }
            return claims
        }
        people[person] = merged
    }

    /// Writes down whom each space is shared with, which follows from whose replica this is.
    private func nameCounterparts(of own: PersonID, in database: Database) throws {
        for space in states.all {
            try database.execute(
                sql: "UPDATE space SET person = ? WHERE number = ?",
                arguments: [space.descriptor.counterpart(of: own)?.sql, space.number])
        }
    }

    /// The person who was the first to list a device as theirs, or nil.
    public func person(of device: DeviceID) -> PersonID? { claims[device]?.first }

    /// What is known of the person who wrote a log, or nil where the log is not here.
    public func authorRecord(of log: LogName, in space: SpaceID) -> PersonRecord? {
        states[space]?.logs[log].flatMap { people[$0.person] }
    }

    /// What is known of a person, or nil.
    public func personRecord(_ person: PersonID) -> PersonRecord? { people[person] }

    // MARK: Spaces

    /// Opens a space; opening it again changes nothing.
    public func open(_ descriptor: SpaceDescriptor) throws {
        let id = descriptor.id
        guard states[id] == nil else { return }
        let counterpart = person(of: device).flatMap(descriptor.counterpart)
        states[id] = try write { database in
            try database.execute(
                sql: "INSERT INTO space (id, descriptor, kind, person) VALUES (?, ?, ?, ?)",
                arguments: [
                    id.sql, descriptor.encoded.sql, descriptor.kind.word, counterpart?.sql,
                ])
            let space = SpaceState(number: database.lastInsertedRowID, descriptor: descriptor)
            try ControlTable(database: database, space: space.number)
                .store(space.membership.members)
            return space
        }
    }

    /// All open spaces, in the order of their ids.
    public func spaces() -> [SpaceSummary] {
        states.all.sorted { $0.id < $1.id }.map { space in
            SpaceSummary(
                id: space.id, descriptor: space.descriptor, digest: space.digest,
                batches: space.batchCount, held: space.heldCount,
                nextDueMilliseconds: space.nextDueMilliseconds,
                void: space.voidCount, waiting: space.waitingCount, missing: space.missingCount,
                forkedDevices: space.forkedDevices)
        }
    }

    /// What a space is, or nil where it is not open.
    public func descriptor(of space: SpaceID) -> SpaceDescriptor? { states[space]?.descriptor }

    /// The logs of a space in which a batch counts, in order; none where the space is not open.
    public func heads(in space: SpaceID) -> [LogState] { states[space]?.heads ?? [] }

    /// The digest of a space's heads, or nil where it is not open.
    public func digest(of space: SpaceID) -> Bytes16? { states[space]?.digest }

    // MARK: Batches

    /// Authors one batch. It is synced to the disk when this returns.
    /// - Parameters:
    ///   - wallMilliseconds: the corrected time since 1970.
    /// - Throws: ``EditFault`` for an edit that would be void, ``BatchFault`` where the space is
    ///   not open, one may not write in it or the batch is too large, ``ReplicaFault``.
    public func author(
        _ edits: [Edit], in space: SpaceID, wallMilliseconds: Int64
    ) throws -> Commit {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let person = try ownPerson(in: state)
        return try commit(to: state, wallMilliseconds) { transaction in
            try transaction.author(edits, by: person, salt: drawSalt) { try key.sign($0) }
        }
    }

    /// Authors one batch that changes who belongs to a group. It is synced to the disk when this
    /// returns.
    /// - Parameter wallMilliseconds: the corrected time since 1970.
    /// - Throws: ``EditFault`` for what would be void, ``BatchFault`` where the space is not open
    ///   or one has no place in it, ``ReplicaFault``.
    @discardableResult
    public func control(
        _ edits: [ControlEdit], in space: SpaceID, wallMilliseconds: Int64
    ) throws -> Commit {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let person = try ownPerson(in: state)
        return try commit(to: state, wallMilliseconds) { transaction in
            try transaction.control(edits, by: person) { try key.sign($0) }
        }
    }

    /// The person as whom this device writes in a space.
    func ownPerson(in state: SpaceState) throws(BatchFault) -> PersonID {
        let own = claims[device]?.first { state.membership.branch(of: $0) != nil }
        guard let own else { throw .notAMember(device) }
        return own
    }

    func commit(
        to state: SpaceState, _ wallMilliseconds: Int64, _ work: (SpaceTransaction) throws -> Void
    ) throws -> Commit {
        let (commit, done) = try write { database in
            let transaction = transaction(database, state, wallMilliseconds)
            try work(transaction)
            let commits = try transaction.finish()
            guard let commit = commits.last(where: { $0.hash == transaction.authored }) else {
                // Another device of one's own has ended this device's log: nothing is stored.
                throw BatchFault.beyondCut(device)
            }
            return (commit, transaction.result)
        }
        settle([done])
        return commit
    }

    /// Takes runs of other devices' batches into their logs and merges them, in one transaction.
    /// A run that is refused leaves the others alone. All is synced to the disk at the return.
    /// - Throws: ``ReplicaFault``; nothing was changed then.
    public func merge(
        _ runs: [(SpaceID, Run)], wallMilliseconds: Int64
    ) throws -> MergeOutcome {
        var outcome = MergeOutcome()
        var done: [SpaceTransaction.Result] = []
        var taken: [(Int, SpaceTransaction, SpaceTransaction.Taken)] = []
        try write { database in
            var transactions: [SpaceID: SpaceTransaction] = [:]
            for (index, (id, run)) in runs.enumerated() {
                guard let state = states[id] else {
                    outcome.faults[index] = .unknownSpace
                    continue
                }
                let known = transactions[id]
                let transaction = known ?? transaction(database, state, wallMilliseconds)
                if known == nil { try transaction.releaseDue() }
                transactions[id] = transaction
                do {
                    let batches = try transaction.take(run, claimants: claims[run.log.device] ?? [])
                    taken.append((index, transaction, batches))
                } catch let fault as BatchFault {
                    outcome.faults[index] = fault
                }
            }
            for (_, transaction) in transactions.sorted(by: { $0.key < $1.key }) {
                outcome.commits += try transaction.finish()
                done.append(transaction.result)
            }
            for (index, transaction, batches) in taken {
                guard let head = try transaction.head(behind: batches) else { continue }
                outcome.heads[index] = head
                guard let numbers = batches.new else { continue }
                outcome.stored.append(
                    .init(space: runs[index].0, log: head.log, numbers: numbers))
            }
        }
        settle(done)
        return outcome
    }

    /// Merges the held batches that are due by now.
    /// - Returns: a commit for each.
    public func releaseDue(wallMilliseconds: Int64) throws -> [Commit] {
        var commits: [Commit] = []
        for state in states.all where state.hasDue(wallMilliseconds: wallMilliseconds) {
            let (released, done) = try write { database in
                let transaction = transaction(database, state, wallMilliseconds)
                try transaction.releaseDue()
                return (try transaction.finish(), transaction.result)
            }
            settle([done])
            commits += released
        }
        return commits
    }

    /// Merges a space's log anew: the one repair for all that can be wrong above the log.
    /// - Throws: ``BatchFault/unknownSpace``, ``ReplicaFault``.
    public func rebuild(_ space: SpaceID) throws {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let done = try write { database in
            let transaction = transaction(database, state, 0)
            try transaction.rebuild()
            return transaction.result
        }
        settle([done])
    }

    // MARK: Within

    /// Takes over what committed transactions left behind.
    func settle(_ results: [SpaceTransaction.Result]) {
        for result in results { states[result.space.id] = result.space }
        noteErased(results.contains(where: \.hasErased))
    }

    func transaction(
        _ database: Database, _ state: SpaceState, _ wallMilliseconds: Int64
    ) -> SpaceTransaction {
        SpaceTransaction(
            database, state, catalog, device: device, wallMilliseconds: wallMilliseconds)
    }

    func write<Result>(_ work: (Database) throws -> Result) throws -> Result {
        if let ending { throw ending }
        do {
            return try ReplicaFault.translating(path: path) {
                try pool.writeWithoutTransaction { try $0.inImmediateTransaction(work) }
            }
        } catch let fault as ReplicaFault where fault.needsRestart {
            // What the system shows of the files is no longer what the disk holds.
            ending = fault
            throw fault
        }
    }

    /// Nothing is written while the actor reads, so its reads need no snapshot of their own; the
    /// writer's connection has the pages that peers are sent.
    func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try ReplicaFault.translating(path: path) { try pool.writeWithoutTransaction(work) }
    }

    func drawSalt() -> Bytes16 {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: randomness.next() as UInt64)
        bytes.append(bigEndian: randomness.next() as UInt64)
        guard let salt = Bytes16(bytes) else { preconditionFailure("two integers are 16 bytes") }
        return salt
    }
}

extension SpaceDescriptor {
    /// The other person of a pair, or the owner of the space; nil where there is neither.
    fileprivate func counterpart(of own: PersonID) -> PersonID? {
        guard case .pair(let one, let other) = self else { return owner }
        return own == one ? other : one
    }
}
