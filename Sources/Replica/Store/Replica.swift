internal import Foundation
internal import GRDB
public import Identity
public import Records
internal import Synchronization

/// The store of one device: the logs of its spaces and the tables merged from them, in one SQLite
/// file.
///
/// Its methods run on its own queue and wait for the disk there. When a method returns, its writes
/// are synced: a kill or a power cut does not lose them.
public actor Replica {
    /// The device of this replica.
    public nonisolated let device: DeviceID
    /// The number of starts, from the database and from the file beside it.
    public nonisolated let startCount: StartCount

    /// Whether a repair cut a log of this device before this start. Numbers that the device signed
    /// are free again here, so only a new key may write.
    public nonisolated let hasCutOwnLog: Bool

    nonisolated let path: String
    nonisolated let pool: DatabasePool
    private nonisolated let executor: any SerialExecutor
    /// Whether reads run on the caller's thread, as they do if the replica was given an executor.
    nonisolated let readsOnCaller: Bool
    nonisolated let permittedReads = PermittedReads()
    let key: DeviceKey
    let catalog: Catalog
    private var randomness: any RandomNumberGenerator & Sendable
    nonisolated let states: SpaceStates
    var people: [PersonID: PersonRecord]
    /// The people who are charged with everything in groups that this replica's person has not
    /// joined; see ``charge(_:)``.
    var inviters: [SpaceID: PersonID] = [:]
    /// The rebuilds that each person caused and that are not paid for.
    var pace = RebuildPace()
    let diskSpace: any DiskSpace
    /// The files with content of blobs.
    nonisolated let blobFiles: BlobFiles
    /// Upper bounds of the bytes of content that may be evicted; nil if none are known.
    var contentRoom: ContentRoom?
    /// The content of which only a part has arrived; nil if it is not known.
    var arriving: ArrivingContent?
    /// The limits of what is stored.
    public internal(set) var quota: StorageQuota
    /// The runs that were refused for lack of room, while there is none.
    var refusals = StorageRefusals()
    /// The bytes of reserved room that each person's batches took while other room was used up.
    var reservedBytes: [PersonID: Int]
    /// The reason the files may still hold erased bytes; nil if they hold none. See ``scrub()``.
    public internal(set) var dueScrub: DueScrub? { didSet { publishUpkeep() } }
    /// The people who list a device as theirs, in the order in which that became known.
    var claims: [DeviceID: [PersonID]]
    /// The devices that several people claim, by the records in ``people``.
    var rivals: RivalClaims
    /// Mates and people met; nil before the core has named them after a start.
    var retainedPeople: Set<PersonID>?
    /// The people whose batches are not stored in open spaces.
    var blockedPeople: Set<PersonID> = []
    /// The people at the other ends of links.
    var linkedPeople: Set<PersonID> = []
    /// The people who are known only because a log of an open space needs their record, with the
    /// bytes of it.
    var brought: [PersonID: Int]
    /// The logs of open spaces that were over their authors' allowance when they were last asked
    /// for.
    var overAllowance: [SpaceID: [LogName: OpenUse.OverAllowance]] = [:]
    /// The people who are known because groups have them as members.
    var introduced = IntroducedPeople()

    /// The fault after which nothing is written until the replica is opened again; nil if there was
    /// none.
    public private(set) var ending: ReplicaFault? { didSet { publishUpkeep() } }
    nonisolated let seenUpkeep: Mutex<Upkeep>

    /// The executor of the actor's methods.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Opens the store, or makes it if it does not exist.
    /// - Parameters:
    ///   - path: the database file. SQLite keeps its log beside it, and the replica the file
    ///     `starts`.
    ///   - key: the device's own key, which signs the batches authored here.
    ///   - collections: the collections with tables; batches of others are stored and passed on.
    ///   - views: views over the collections' tables and the core's views, made again at each
    ///     start.
    ///   - randomness: the source of salts.
    ///   - quota: the limits of what is stored.
    ///   - diskSpace: knows how much is free on the disk.
    ///   - executor: runs the replica's methods, and reads run on the caller's thread; if nil, the
    ///     replica uses its own queues.
    /// - Throws: ``ReplicaFault``; an unusable file is left as it is.
    public init(
        path: String, key: DeviceKey, collections: [RecordCollection], views: [ReplicaView],
        randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        quota: StorageQuota = StorageQuota(), diskSpace: any DiskSpace = FileSystem(),
        executor: (any SerialExecutor)? = nil
    ) throws {
        let catalog = try Catalog(collections)
        let file = ReplicaFile(path: path)
        let opened = try ReplicaFault.translating(path: path) {
            try file.open(catalog: catalog, views: views, device: key.id)
        }
        self.path = path
        blobFiles = BlobFiles(beside: path)
        self.key = key
        self.catalog = catalog
        self.randomness = randomness
        self.quota = quota
        self.diskSpace = diskSpace
        device = key.id
        pool = opened.pool
        startCount = opened.startCount
        self.executor = executor ?? QueueExecutor(label: "waggle.replica")
        readsOnCaller = executor != nil
        people = Dictionary(
            opened.people.map { ($0.person, $0) }, uniquingKeysWith: { first, _ in first })
        claims = opened.claims
        brought = opened.brought
        rivals = RivalClaims(among: opened.people)
        // No other person can cause starts.
        let dueScrub: DueScrub? = opened.isScrubDue ? .ownErase : nil
        self.dueScrub = dueScrub
        seenUpkeep = Mutex(Upkeep(dueScrub: dueScrub))
        hasCutOwnLog = opened.hasCutOwn
        reservedBytes = opened.reservedBytes
        states = SpaceStates(opened.spaces)
        var admission = PeopleAdmission(
            people, introduced, spaces: opened.spaces, device: key.id)
        admission.countKnown()
        introduced = admission.change.introduced
    }

    /// Whether the database and the file beside it disagree on the number of starts: a backup was
    /// restored or a disk cloned.
    public nonisolated var startCountsDisagree: Bool { startCount.disagrees }

    /// Ends a disagreement, after the device has verified that it holds all of its own logs.
    public func settleStartCounts() throws {
        try StartCounter(pool: pool, file: ReplicaFile(path: path).starts).settle(startCount)
    }

    /// Writes everything into the one file and closes it; no method may be called afterwards.
    public func close() throws {
        do {
            try scrub()
        } catch ReplicaFault.diskFull {
            // It stays due, and the next start finds that in the file.
        }
        try ReplicaFault.translating(path: path) {
            _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try pool.close()
        }
    }

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
                    id.sql, descriptor.encoded.sql, descriptor.kind.name, counterpart?.sql,
                ])
            var space = SpaceState(number: database.lastInsertedRowID, descriptor: descriptor)
            space.adopt(rivals.standing)
            try space.refreshMembership(BatchTable(database: database))
            try ControlTable(database: database, space: space.number)
                .store(space.membership.members)
            if space.isOpen { try OwnEnds(database: database).restore(in: &space) }
            return space
        }
    }

    /// Returns summaries of all open spaces, ordered by id.
    public func spaces() -> [SpaceSummary] {
        states.all.sorted { $0.id < $1.id }.map { space in
            SpaceSummary(
                id: space.id, descriptor: space.descriptor, digest: space.digest,
                batches: space.batchCount, held: space.heldCount,
                nextDue: space.nextDue,
                void: space.voidCount, waiting: space.waitingCount, missing: space.missingCount,
                forkedDevices: space.forkedDevices)
        }
    }

    /// Returns the descriptor of a space, or nil if it is not open.
    public func descriptor(of space: SpaceID) -> SpaceDescriptor? { states[space]?.descriptor }

    /// Returns the logs of a space in which a batch counts, in order; none if the space is not
    /// open.
    public func heads(in space: SpaceID) -> [LogState] { states[space]?.heads ?? [] }

    /// Returns the digest of a space's heads, or nil if the space is not open.
    public func digest(of space: SpaceID) -> Bytes16? { states[space]?.digest }

    // MARK: Batches

    /// Authors one batch. It is synced to the disk when this returns.
    /// - Parameters:
    ///   - wallTime: the corrected time.
    /// - Throws: ``EditFault`` for an edit that would be void, ``BatchFault`` if the space is not
    ///   open, the person may not write in it, the batch is too large or the person's room is used
    ///   up, ``ReplicaFault``.
    public func author(
        _ edits: [Edit], in space: SpaceID, wallTime: Timestamp
    ) throws -> Commit {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let person = try ownPerson(in: state)
        try requireOwnRoom(for: edits, by: person, in: state)
        try requireContent(of: edits, by: person, in: state)
        return try commit(to: state, wallTime) { transaction in
            try transaction.author(edits, by: person, salt: drawSalt) { try key.sign($0) }
        }
    }

    /// Authors one batch that changes the membership of a group. It is synced to the disk when this
    /// returns.
    /// - Parameter wallTime: the corrected time.
    /// - Throws: ``EditFault`` for an edit that would be void, ``BatchFault`` if the space is not
    ///   open or the person has no role in it, ``ReplicaFault``.
    @discardableResult
    public func control(
        _ edits: [ControlEdit], in space: SpaceID, wallTime: Timestamp
    ) throws -> Commit {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let person = try ownPerson(in: state)
        return try commit(to: state, wallTime) { transaction in
            try transaction.control(edits, by: person) { try key.sign($0) }
        }
    }

    /// Returns the person whose batches this device writes in a space.
    func ownPerson(in state: SpaceState) throws(BatchFault) -> PersonID {
        let listing = (claims[device] ?? []).filter { state.membership.branch(of: $0) != nil }
        guard let own = state.author(on: device, claimedBy: listing), listing.contains(own) else {
            throw .notAMember(device)
        }
        return own
    }

    func commit(
        to state: SpaceState, _ wallTime: Timestamp, _ work: (SpaceTransaction) throws -> Void
    ) throws -> Commit {
        let (commit, done) = try write { database in
            let transaction = transaction(database, state, wallTime)
            try work(transaction)
            let commits = try transaction.finish()
            guard let commit = commits.last(where: { $0.hash == transaction.state.authored }) else {
                // Another device of this person has ended this device's log: nothing is stored.
                throw BatchFault.beyondCut(device)
            }
            return (commit, transaction.result)
        }
        adopt([done])
        return commit
    }

    /// Stores runs of other devices' batches and merges them, in one transaction. A refused run
    /// does not affect the others. Everything is synced to the disk when this returns.
    /// - Throws: ``ReplicaFault``; nothing was changed then.
    public func merge(
        _ runs: [(SpaceID, Run)], wallTime: Timestamp
    ) throws -> MergeOutcome {
        let room = room()
        let (merge, done) = try write { database in
            var merge = RunMerge(pace: pace, room: room, wallTime: wallTime) {
                self.transaction(database, $0, wallTime)
            }
            for (index, (id, run)) in runs.enumerated() {
                try merge.receive(
                    run, index: index, in: states[id],
                    claimants: rivals.claimants(of: run.log.device),
                    isCrowded: introduced.crowded.contains(id))
            }
            let done = try merge.finish()
            try ReserveTable(database: database)
                .store(merge.room.reserved, insteadOf: reservedBytes)
            return (merge, done)
        }
        pace = merge.pace
        adopt(done)
        adopt(merge.room)
        return merge.outcome
    }

    /// Merges the held batches that are due, and attributes logs if that was postponed; see
    /// ``learn(_:wallTime:)``. Work is done in the order in which it became due.
    ///
    /// One call does at most the work of one step; see ``StepWork``. The rest stays due: call this
    /// again while ``Upkeep/nextDue`` is past.
    /// - Returns: a commit for each batch that counts only now, or for another person.
    public func releaseDue(wallTime: Timestamp) throws -> [Commit] {
        var work = StepWork()
        var commits: [Commit] = []
        let due = states.all.filter {
            $0.hasDue(wallTime: wallTime) || $0.hasDueAttribution(wallTime: wallTime)
        }.sorted { ($0.nextRelease ?? .min, $0.id) < ($1.nextRelease ?? .min, $1.id) }
        for var state in due {
            if state.hasDueAttribution(wallTime: wallTime) {
                guard work.permit(unitsMax: state.rebuildUnitsMax) else { continue }
                commits += try attributePostponed(in: state, wallTime: wallTime)
                state = states[state.id] ?? state
            }
            guard state.hasDue(wallTime: wallTime), work.permit(unitsMax: state.rebuildUnitsMax)
            else { continue }
            commits += try release(state, wallTime)
        }
        return commits
    }

    private func release(_ state: SpaceState, _ wallTime: Timestamp) throws -> [Commit] {
        let (released, done) = try write { database in
            let transaction = transaction(database, state, wallTime)
            try transaction.releaseDue()
            return (try transaction.finish(), transaction.result)
        }
        adopt([done])
        return released
    }

    /// Merges a space's log again: the one repair of everything derived from the log.
    /// - Throws: ``BatchFault/unknownSpace``, ``ReplicaFault``.
    public func rebuild(_ space: SpaceID) throws {
        guard let state = states[space] else { throw BatchFault.unknownSpace }
        let done = try write { database in
            let transaction = transaction(database, state, .min)
            try transaction.rebuild()
            return transaction.result
        }
        adopt([done])
    }

    // MARK: Internal

    /// Adopts the state of committed transactions.
    func adopt(_ results: [SpaceTransaction.Result]) {
        for result in results { states[result.space.id] = result.space }
        if results.contains(where: \.hasRemoved), dueScrub == nil { dueScrub = .othersErase }
        adoptClosedContent(of: results)
        let erasers = results.reduce(into: Set<PersonID>()) { $0.formUnion($1.erasers) }
        guard !erasers.isEmpty else { return }
        let isOwn = person(of: device).map(erasers.contains) ?? false
        recordErased(isOwn ? .ownErase : .othersErase)
    }

    func transaction(
        _ database: Database, _ state: SpaceState, _ wallTime: Timestamp
    ) -> SpaceTransaction {
        let transaction = SpaceTransaction(
            database, state, catalog, device: device, wallTime: wallTime)
        if state.isOpen { transaction.openPeople = openPeople }
        return transaction
    }

    func write<Result>(_ work: (Database) throws -> Result) throws -> Result {
        if let ending { throw ending }
        do {
            return try ReplicaFault.translating(path: path) {
                try pool.writeWithoutTransaction { try $0.inImmediateTransaction(work) }
            }
        } catch let fault as ReplicaFault where fault.needsRestart {
            // The files as the system shows them may differ from the disk.
            ending = fault
            throw fault
        }
    }

    /// Nothing is written while the actor reads, so its reads need no snapshot. The writer's
    /// connection has cached the pages that peers receive.
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
