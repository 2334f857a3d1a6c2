internal import GRDB
public import Records

/// The state and the batches that peers receive.
extension Replica {
    /// Returns the members of a space and the reach of their logs; nil if the space is not open.
    public func membership(of space: SpaceID) -> Membership? { states[space]?.membership }

    /// Returns all people with a role in a space, also those who left or were removed, ordered by
    /// id.
    public func members(in space: SpaceID) -> [Member] {
        states[space]?.membership.members ?? []
    }

    /// Returns the logs of a space in the order in which to send them, so that grants come before
    /// the batches they permit: logs of senior owners first, those of removed devices behind the
    /// cuts that name them, then in the order in which they became known here, because a record
    /// usually begins before others write it. Nil if the space is not open.
    public nonisolated func logsBySeniority(in space: SpaceID) -> [LogState]? {
        guard let state = states[space] else { return nil }
        let ranks = state.heads.map { head -> (level: Int, removed: Int, number: Int64) in
            guard let entry = state.logs[head.log] else { return (Int.max, 1, Int64.max) }
            let isRemoved = state.isRemoved(head.log.device, of: entry.person)
            let level = state.membership.level(of: entry.person) ?? Int.max
            return (level, isRemoved ? 1 : 0, entry.number)
        }
        return zip(ranks, state.heads).sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Returns the next batches of a log as a run that ends at a batch with a stored signature.
    /// - Parameters:
    ///   - log: a log as ``heads(in:)`` names it.
    ///   - number: the last batch that the receiver holds; 0 for none.
    ///   - prefix: the first bytes of that batch's hash. If the batch here has another hash, the
    ///     run begins at the start of the log, and the receiver finds the last shared batch. Nil
    ///     checks nothing.
    ///   - bytesMax: the maximum length of the encoded run. The shortest provable run is returned
    ///     even if it is longer.
    /// - Returns: nil if there are no further batches.
    public func runs(
        in space: SpaceID, log: LogName, after number: UInt64, prefix: UInt64? = nil, bytesMax: Int
    ) throws -> Run? {
        guard let state = states[space], let path = state.path(log) else { return nil }
        // The end of a push needs no disk access.
        guard prefix != nil || number < path.state.high else { return nil }
        return try read { database in
            let batches = BatchTable(database: database)
            var last = number
            if let prefix, let place = state.place(of: log, number: number),
                try batches.hash(at: place)?.prefix != prefix
            {
                last = path.state.low - 1
            }
            return try RunReader(batches: batches, space: state)
                .run(of: path, after: last, bytesMax: bytesMax)
        }
    }

    /// Returns the hash of a batch, or nil if it is not here.
    /// - Parameter log: a log as ``heads(in:)`` names it.
    public func hash(of log: LogName, number: UInt64, in space: SpaceID) throws -> BatchHash? {
        guard let place = states[space]?.place(of: log, number: number) else { return nil }
        return try read { try BatchTable(database: $0).hash(at: place) }
    }

    /// Records which batches of a space a peer's device holds on its disk.
    public func recordAcknowledgement(
        of peer: DeviceID, in space: SpaceID, reaches: [LogReach]
    ) throws {
        try recordAcknowledgements(of: peer, [space: reaches])
    }

    /// Records which batches of several spaces a peer's device holds on its disk, in one
    /// transaction. Reaches that are not in our own logs, or that are not higher than the stored
    /// ones, are ignored; if no other is left, nothing is written.
    /// - Returns: the spaces of which the peer is now known to hold more, ordered by id.
    @discardableResult
    public func recordAcknowledgements(
        of peer: DeviceID, _ reaches: [SpaceID: [LogReach]]
    ) throws -> [SpaceID] {
        let named = reaches.keys.sorted().compactMap { states[$0] }
        let news = try read { database in
            try named.map { state in
                let known = Acknowledgements(database: database, space: state.number)
                return (state, try known.news(in: reaches[state.id] ?? [], of: peer, state))
            }
        }.filter { !$0.1.isEmpty }
        guard !news.isEmpty else { return [] }
        try write { database in
            for (state, ends) in news {
                try Acknowledgements(database: database, space: state.number)
                    .record(ends, of: peer)
            }
        }
        return news.map(\.0.id)
    }

    /// Returns the number of the last of this device's batches in a space that a device of this
    /// person holds on its disk; 0 if none does.
    public func heldNumber(of person: PersonID, in space: SpaceID) throws -> UInt64 {
        guard let state = states[space] else { return 0 }
        return try read { database in
            try Acknowledgements(database: database, space: state.number)
                .number(of: device, heldBy: person)
        }
    }
}
