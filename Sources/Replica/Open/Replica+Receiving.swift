internal import GRDB
internal import Identity
public import Records

// Pieces of logs that arrive in open spaces.
extension Replica {
    /// Returns the number of signatures that receiving a piece checks.
    @concurrent public nonisolated func checksCount(of passed: PassedRun) async -> Int {
        guard let record = passed.record, let claim = try? ClaimedPersonRecord(record),
            let news = try? claim.news(to: await personRecord(claim.person))
        else { return 1 }
        return 1 + news.checksCount
    }

    /// Checks a piece of a log of an open space and stores it, with the author's person record, in
    /// one transaction. Everything is synced to the disk when this returns.
    ///
    /// The signature proves the hash before the piece too, so a piece may begin anywhere in a log.
    /// - Parameters:
    ///   - bringer: the person at the other end of the link.
    ///   - wallTime: the corrected time.
    /// - Throws: ``ReplicaFault``; nothing was changed then.
    @concurrent public nonisolated func receive(
        _ passed: PassedRun, in space: SpaceID, from bringer: PersonID, wallTime: Timestamp
    ) async throws -> ReceivedPiece {
        guard let state = states[space], state.isOpen else {
            return ReceivedPiece(result: .refused(.unknownSpace))
        }
        do {
            let run = try passed.run.check(in: space, after: passed.previous)
            var piece = Piece(
                run: run, log: passed.run.log, previous: passed.previous, space: space,
                bringer: bringer, wallTime: wallTime)
            if let encoded = passed.record {
                let claim = try ClaimedPersonRecord(encoded)
                piece.claimant = claim.person
                let news = try claim.news(to: await personRecord(claim.person))
                if !news.isEmpty { piece.record = try news.checked() }
            }
            return try await store(piece)
        } catch let fault as BatchFault {
            return ReceivedPiece(result: .refused(fault))
        } catch let fault as IdentityFault {
            return ReceivedPiece(result: .refusedRecord(fault))
        } catch let refusal as PassedRefusal {
            return ReceivedPiece(result: ReceivedPiece.Result(refusal, passed.run.log))
        }
    }

    /// A piece that arrived, checked as far as that needs no stored state.
    private struct Piece {
        let run: CheckedRun
        let log: LogName
        let previous: BatchHash
        let space: SpaceID
        let bringer: PersonID
        let wallTime: Timestamp
        /// The person whose record came with it.
        var claimant: PersonID?
        /// This record, if it has news.
        var record: PersonRecord?
    }

    /// The changes by a person's record that arrived with a piece.
    private struct RecordArrival {
        let change: PeopleChange
        let listings: [DeviceID: [PersonID]]
        let claimed: RivalClaims.Change
    }

    private func arrival(of record: PersonRecord?) throws -> RecordArrival? {
        guard let record else { return nil }
        let merged = try people[record.person]?.merging(record) ?? record
        let change = change(by: [record.person: merged])
        guard !change.isEmpty else { return nil }
        return RecordArrival(
            change: change, listings: listings(after: change), claimed: claims(after: change))
    }

    private func store(_ piece: Piece) throws -> ReceivedPiece {
        try requireDisk(for: piece.run)
        let arrival = try arrival(of: piece.record)
        var broughtBefore: [PersonID: Int?] = [:]
        let known = knownPerson(of: arrival)
        // The growth of a stranger's record needs room too.
        for (person, record) in arrival?.change.stored ?? [:]
        where people[person] == nil || brought[person] != nil {
            broughtBefore.updateValue(brought[person], forKey: person)
            brought[person] = record.encoded.count
        }
        do {
            let (results, commits, offered) = try write { try receive(piece, arrival, $0) }
            if let arrival { adopt(arrival.change, arrival.listings, arrival.claimed) }
            adopt(results)
            chargeRecords(of: broughtBefore.keys)
            overAllowance[piece.space]?[piece.log] = nil
            let removed = results.flatMap(\.removed)
            for result in results { try forgetBrought(for: result.removedLogs) }
            return ReceivedPiece(
                result: ReceivedPiece.Result(offered, piece.log), commits: commits,
                removed: removed, person: known)
        } catch {
            for (person, bytes) in broughtBefore { brought[person] = bytes }
            if case PassedRefusal.overAllowance(let until) = error {
                recordOverAllowance(piece, until)
            }
            throw error
        }
    }

    /// Returns the change of a record that is here for another reason than an open space.
    private func knownPerson(of arrival: RecordArrival?) -> ReceivedPiece.KnownPerson? {
        for (person, record) in arrival?.change.stored ?? [:] where brought[person] == nil {
            if let before = people[person] { return .init(before: before, after: record) }
        }
        return nil
    }

    private func receive(
        _ piece: Piece, _ arrival: RecordArrival?, _ database: Database
    ) throws -> (results: [SpaceTransaction.Result], commits: [Commit], OfferedLog?) {
        let (space, device) = (piece.space, piece.log.device)
        var claimants = rivals
        var attributed: [(result: SpaceTransaction.Result, commits: [Commit])] = []
        if let arrival {
            try write(arrival.change, in: database)
            attributed = try attributeLogs(of: arrival.claimed, piece.wallTime, in: database)
            claimants.adopt(arrival.claimed)
        }
        let known = attributed.first { $0.result.space.id == space }?.result.space
        guard let state = known ?? states[space] else { throw BatchFault.unknownSpace }
        let person = try author(of: piece.log, in: state, claimants.claimants(of: device))
        // Otherwise strangers could make any number of records be stored.
        guard piece.claimant == nil || piece.claimant == person, !blockedPeople.contains(person)
        else { throw BatchFault.notAMember(device) }
        let transaction = transaction(database, state, piece.wallTime)
        // The peer that sent the piece has a share, even if the core does not know of the link yet.
        transaction.openPeople.linked.insert(piece.bringer)
        let hasNew = try transaction.receive(
            SpaceTransaction.Passed(
                log: piece.log, previous: piece.previous, run: piece.run, person: person,
                sender: piece.bringer, bringer: piece.bringer, recordBytes: brought[person] ?? 0),
            transaction.openPeople)
        let commits = try transaction.finish()
        let result = transaction.result
        let results = attributed.map(\.result).filter { $0.space.id != space } + [result]
        let offered = try transaction.path(containing: piece.run).map { OfferedLog($0.state) }
        if !hasNew, arrival != nil, brought[person] != nil {
            throw PassedRefusal.nothingNew(offered)
        }
        return (results, attributed.flatMap(\.commits) + commits, offered)
    }

    /// Returns the person whose device wrote a log.
    private func author(
        of log: LogName, in state: SpaceState, _ claimants: [PersonID]
    ) throws(BatchFault) -> PersonID {
        let stored = state.rows(of: log.device).compactMap { state.logs[$0]?.person }.first
        guard let person = stored ?? state.author(on: log.device, claimedBy: claimants),
            claimants.contains(person)
        else { throw .notAMember(log.device) }
        return person
    }

    /// Refuses a piece if the disk, or the room of all spaces together, is short.
    private func requireDisk(for run: CheckedRun) throws {
        let bytes = run.batches.reduce(0) { $0 + $1.content.storedBytes }
        guard states.storedBytes + bytes <= quota.totalBytesMax,
            freeBytes().map({ $0 - bytes >= quota.freeBytesMin }) ?? true
        else { throw PassedRefusal.noRoom }
    }

    private func recordOverAllowance(_ piece: Piece, _ until: Timestamp) {
        let (log, space, wallTime) = (piece.log, piece.space, piece.wallTime)
        let person = claims[log.device]?.first ?? piece.claimant
        guard let person, states[space] != nil else { return }
        var known = overAllowance[space] ?? [:]
        // No more logs are named than may be stored.
        if known.count >= Limits.openSpaceLogsMax {
            known = known.filter { $0.value.until > wallTime }
        }
        guard known[log] != nil || known.count < Limits.openSpaceLogsMax else { return }
        known[log] = OpenUse.OverAllowance(log: log, person: person, until: until)
        overAllowance[space] = known
    }
}

extension ReceivedPiece.Result {
    /// - Parameter offered: the log with the piece, or nil if the piece does not count.
    fileprivate init(_ offered: OfferedLog?, _ log: LogName) {
        self = offered.map { .stored($0) } ?? .refused(.beyondCut(log.device))
    }

    /// - Parameter log: the piece's log.
    fileprivate init(_ refusal: PassedRefusal, _ log: LogName) {
        self =
            switch refusal {
            case .overAllowance(let until): .overAllowance(until: until)
            case .noShare: .noShare
            case .noRoom: .noRoom
            case .expired: .expired
            case .nothingNew(let offered): Self(offered, log)
            }
    }
}

extension SpaceTransaction {
    /// Returns the log that contains the last stored batch of a piece, after the transaction has
    /// finished; nil if it does not count.
    fileprivate func path(containing run: CheckedRun) throws -> LogPath? {
        guard let last = run.batches.last else { return nil }
        let row = try state.space.rows(of: last.header.log.device).first { row in
            guard let entry = state.space.logs[row], !entry.isEmpty,
                (entry.low...entry.high).contains(last.header.number)
            else { return false }
            return try hash(last.header.number, in: entry) == last.hash
        }
        return row.flatMap(state.space.path(containing:))
    }
}
