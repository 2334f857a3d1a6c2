internal import GRDB
public import Records

extension Replica {
    /// Changes the quota. Batches that are already stored stay.
    public func setQuota(_ quota: StorageQuota) {
        self.quota = quota
        forgetRefusals()
        // Best effort: the next content that arrives leads here again.
        contentRoom = nil
        try? evictSurplus()
    }

    /// The groups in which this replica's person has not accepted a role yet.
    public func groupsNotJoined() -> Set<SpaceID> {
        guard let own = person(of: device) else { return [] }
        return Set(
            states.all.lazy.filter {
                $0.descriptor.kind == .group && !$0.membership.hasJoined(own)
            }.map(\.id))
    }

    /// Charges the people who invited this replica's person with what is stored of these groups and
    /// with the rebuilds there, whoever wrote the batches: the owner of a group can make up as many
    /// members as they like. All groups of one inviter together have the room of one author in one
    /// space, and fewer members become known.
    ///
    /// Example: Ben invites Ann to two groups with 40 writers each. Until Ann accepts, her replica
    /// stores 64 MiB of both together. When she joins one of them, each writer there has 64 MiB.
    /// - Parameter inviters: the inviters of all groups that the person has not joined.
    public func charge(_ inviters: [SpaceID: PersonID]) {
        guard inviters != self.inviters else { return }
        self.inviters = inviters
        introduced.invited = Set(inviters.keys)
        forgetRefusals()
    }

    /// Returns the bytes that are stored, and the people whose quota is full.
    public func storage() -> StorageReport {
        forgetRefusals()
        let room = room()
        let full = refusals.byShare.map { share, refusal in
            StorageReport.Full(
                share: share, limit: refusal.limit,
                usedBytes: states[share.space].map { room.used(by: share.person, in: $0) } ?? 0)
        }
        return StorageReport(
            quota: quota, usedBytes: states.storedBytes, freeBytes: freeBytes(),
            full: full.sorted {
                ($0.share.space, $0.share.person) < ($1.share.space, $1.share.person)
            })
    }

    /// Returns the bytes that an author's batches take in a space; nil if the author may not write
    /// there any more.
    public func storedBytes(of share: SpaceShare) -> Int? {
        guard let state = states[share.space],
            state.membership.member(share.person)?.isServed ?? false
        else { return nil }
        return state.bytesByPerson[share.person] ?? 0
    }

    /// Returns the bytes that can still be written: on the disk and, if that is short, also in free
    /// pages of the database.
    func freeBytes() -> Int? {
        guard let free = diskSpace.freeBytes(at: path) else { return nil }
        guard free < 2 * quota.freeBytesMin else { return free }
        let pages = try? read { database in
            let count = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            return count * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
        return free + (pages ?? 0)
    }

    /// Returns the room for a transaction that begins now.
    func room() -> StorageRoom {
        StorageRoom(
            quota: quota, own: person(of: device), totalBytes: states.storedBytes,
            freeBytes: freeBytes(), reserved: reservedBytes, refusals: refusals,
            inviters: inviters,
            invitedBytes: inviters.reduce(into: [:]) { bytes, group in
                bytes[group.key] = states[group.key]?.storedBytes
            })
    }

    /// Adopts the findings of a committed transaction. If runs were refused, bodies of void batches
    /// are dropped, so that there may be room when the runs come again.
    func adopt(_ room: StorageRoom) {
        reservedBytes = room.reserved
        refusals = room.refusals
        guard !refusals.byShare.isEmpty else { return }
        if refusals.hasNew {
            for (share, refusal) in refusals.byShare {
                switch refusal.limit {
                case .author: dropVoidBodies(of: share.person, in: share.space)
                case .total, .disk: for state in states.all { dropVoidBodies(in: state.id) }
                }
            }
        }
        forgetRefusals()
    }

    /// The maximum number of a space's void batches that are examined at a time.
    static let voidBatchesPerDropMax = 4096

    private func dropVoidBodies(of person: PersonID? = nil, in space: SpaceID) {
        guard let state = states[space], state.hasVoidBodies else { return }
        // Best effort: the next refused run leads here again.
        let done = try? write { database in
            let transaction = transaction(database, state, .min)
            try transaction.dropVoidBodies(of: person, countMax: Replica.voidBatchesPerDropMax)
            return transaction.result
        }
        if let done { adopt([done]) }
    }

    /// Forgets the refusals of runs that would fit now, and of people who may no longer write.
    private func forgetRefusals() {
        defer { publishUpkeep() }
        guard !refusals.byShare.isEmpty else { return }
        let room = room()
        refusals.removeAll { share, refusal in
            guard let state = states[share.space],
                state.membership.member(share.person)?.isServed ?? false
            else { return true }
            return room.fits(refusal, used: room.used(by: share.person, in: state))
        }
    }

    // MARK: This device's own batches

    /// Checks that this device may write an ordinary batch.
    ///
    /// Erases, control operations and records with reserved room are never refused here, so that a
    /// person can make room. Others store ``Limits/storedAuthorBytesMax`` of each person in a
    /// space, with what waits there. If this device wrote more, its later erases would wait behind
    /// batches that nobody stores.
    /// - Throws: ``ReplicaFault/diskFull(path:)`` if even the reserve of the disk is used up,
    ///   ``BatchFault/ownRoomUsed(limitBytes:)``.
    func requireOwnRoom(
        for edits: [Edit], by person: PersonID, in state: SpaceState
    ) throws {
        let isReserved = edits.allSatisfy { edit in
            catalog.table(named: edit.collection)?.collection.hasReservedRoom ?? false
        }
        guard !isReserved else { return }
        let reserve = min(Limits.reserveFreeBytesMin, quota.freeBytesMin)
        if let free = freeBytes(), free < reserve { throw ReplicaFault.diskFull(path: path) }
        let limit = max(Limits.ownAuthorBytesMax, quota.authorBytesMax)
        guard state.descriptor.kind != .own, state.bytesByPerson[person] ?? 0 >= limit else {
            return
        }
        throw BatchFault.ownRoomUsed(limitBytes: limit)
    }
}

extension SpaceState {
    /// Whether there may be void batches whose bodies were not dropped.
    fileprivate var hasVoidBodies: Bool {
        logs.values.contains { max($0.counted, $0.emptiedThrough) < $0.high }
    }
}
