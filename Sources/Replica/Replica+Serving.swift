internal import GRDB
public import Records

/// What peers are told and sent.
extension Replica {
    /// Who belongs to a space, and what of whose logs counts; nil where it is not open.
    public func membership(of space: SpaceID) -> Membership? { states[space]?.membership }

    /// All persons with a place in a space, left and removed ones too, by their ids.
    public func members(in space: SpaceID) -> [Member] {
        states[space]?.membership.members ?? []
    }

    /// The logs of a space in the order in which to send them, so that grants come before what
    /// they permit: those of the most senior owners first, then as they were learned, since who
    /// writes about a record has mostly seen it begin. Nil where the space is not open.
    public nonisolated func logsBySeniority(in space: SpaceID) -> [LogState]? {
        guard let state = states[space] else { return nil }
        let ranks = state.heads.map { head -> (level: Int, number: Int64) in
            guard let entry = state.logs[head.log] else { return (Int.max, Int64.max) }
            return (state.membership.level(of: entry.person) ?? Int.max, entry.number)
        }
        return zip(ranks, state.heads).sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The next batches of a log as a run, which ends at a batch whose signature is kept.
    /// - Parameters:
    ///   - log: a log as ``heads(in:)`` names it.
    ///   - number: the last batch the receiver holds; 0 for none.
    ///   - prefix: the beginning of that batch's hash, by which it is told whether the receiver
    ///     holds the batch that is here. If it does not, the run begins with the log: the receiver
    ///     finds out what both share. Nil asks nothing.
    ///   - bytesMax: what the run's encoding should fit. The shortest run that can be proven is
    ///     returned even when it is longer.
    /// - Returns: nil where there is nothing more.
    public func runs(
        in space: SpaceID, log: LogName, after number: UInt64, prefix: UInt64? = nil, bytesMax: Int
    ) throws -> Run? {
        guard let state = states[space], let path = state.path(log) else { return nil }
        // Nothing is asked of the disk where a push ends.
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

    /// The hash of a batch, or nil where it is not here.
    /// - Parameter log: a log as ``heads(in:)`` names it.
    public func hash(of log: LogName, number: UInt64, in space: SpaceID) throws -> BatchHash? {
        guard let place = states[space]?.place(of: log, number: number) else { return nil }
        return try read { try BatchTable(database: $0).hash(at: place) }
    }

    /// Notes what a peer's device holds on its disk. Reaches that are not in our own logs say
    /// nothing that could be shown, and are left out.
    public func recordAcknowledgement(
        of peer: DeviceID, in space: SpaceID, reaches: [LogReach]
    ) throws {
        guard let state = states[space] else { return }
        try write { database in
            for reach in reaches {
                guard let place = state.place(of: reach.log, number: reach.number) else {
                    continue
                }
                try Acknowledgements(database: database, space: state.number)
                    .record(reach, at: place, of: peer)
            }
        }
    }
}
