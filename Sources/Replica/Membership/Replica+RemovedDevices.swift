internal import GRDB
internal import Identity
public import Records

// The end of the logs of devices that this replica's person removed.
extension Replica {
    /// Ends the logs of removed devices in all spaces that their person shares, at the batches that
    /// are stored here and count. Logs that a listed device has ended already are left out. All of
    /// it is synced to the disk, in one transaction, when this returns.
    ///
    /// Example: the phone wrote batches 1 to 9 of a pair, and 1 to 7 are here. The cut names batch
    /// 7. On every replica, 1 to 7 count, also if they arrive there only later; 8 and 9 do not.
    /// - Parameter devices: devices that this replica's person listed once. Those that the person
    ///   lists are left out.
    /// - Returns: a commit for each space with such a log.
    /// - Throws: ``BatchFault``, ``ReplicaFault``; nothing was changed then.
    @discardableResult
    public func endLogs(
        of devices: Set<DeviceID>, wallTime: Timestamp
    ) throws -> [Commit] {
        guard let person = person(of: device) else { return [] }
        let removed = devices.intersection(rivals.removed[person] ?? [])
        guard !removed.isEmpty else { return [] }
        let due = states.all.sorted { $0.id < $1.id }.compactMap { state in
            let heads = state.headsToEnd(of: removed, by: person)
            return heads.isEmpty ? nil : (state: state, heads: heads)
        }
        return try end(due, of: person, wallTime)
    }

    /// Ends one log of a removed device of this replica's person, after batches of it arrived that
    /// no cut names. If none of its batches is stored here, none counts anywhere afterwards, unless
    /// another device of the person knew more.
    /// - Returns: nil if a listed device has ended the log, or if it is not a log of such a device.
    /// - Throws: ``BatchFault``, ``ReplicaFault``; nothing was changed then.
    @discardableResult
    public func endLog(
        _ log: LogName, in space: SpaceID, wallTime: Timestamp
    ) throws -> Commit? {
        guard let person = person(of: device), let state = states[space],
            rivals.removed[person]?.contains(log.device) ?? false,
            state.membership.reachOfEnded(log, by: person) == nil,
            state.membership.reach(of: log, by: person) > 0
        else { return nil }
        var heads = state.headsToEnd(of: [log.device], by: person)
        if !heads.contains(where: { state.root(of: $0.log) == state.root(of: log) }) {
            heads.append(LogHead(log: log, number: 1, hash: .none))
        }
        return try end([(state, heads)], of: person, wallTime).last
    }

    private func end(
        _ due: [(state: SpaceState, heads: [LogHead])], of person: PersonID, _ wallTime: Timestamp
    ) throws -> [Commit] {
        // A person who left a group or was removed from it writes no cut there.
        let permitted = due.filter { $0.state.membership.branch(of: person) != nil }
        guard !permitted.isEmpty else { return [] }
        let done = try write { database in
            try permitted.map { state, heads in
                let transaction = transaction(database, state, wallTime)
                try transaction.end(heads, by: person) { try key.sign($0) }
                return (commits: try transaction.finish(), result: transaction.result)
            }
        }
        adopt(done.map(\.result))
        return done.flatMap(\.commits)
    }

    /// The devices that this replica's person removed, and whose logs count without an end in a
    /// space: no device that the person lists has ended them.
    public func devicesToEnd() -> Set<DeviceID> {
        guard let person = person(of: device), let removed = rivals.removed[person] else {
            return []
        }
        return Set(
            states.all.lazy.flatMap { $0.headsToEnd(of: removed, by: person) }.map(\.log.device))
    }

    /// Returns the times of devices' newest stored changes, as their own clocks said.
    public func newestChanges(of devices: Set<DeviceID>) -> [DeviceID: Timestamp] {
        var newest: [DeviceID: Timestamp] = [:]
        for state in states.all {
            for device in devices {
                for row in state.rows(of: device) {
                    guard let entry = state.logs[row], entry.high >= entry.low else { continue }
                    newest[device] = max(newest[device] ?? .min, entry.headStamp.time)
                }
            }
        }
        return newest
    }
}

extension SpaceState {
    /// Returns the heads of a person's logs that removed devices wrote and that no listed device
    /// has ended, in order.
    fileprivate func headsToEnd(of removed: Set<DeviceID>, by person: PersonID) -> [LogHead] {
        guard hasLog(ofAny: removed) else { return [] }
        return paths.all.map(\.state).filter { state in
            removed.contains(state.log.device) && logs[state.log]?.person == person
                && membership.reachOfEnded(state.log, by: person) == nil
        }.map(\.head)
    }
}

extension SpaceTransaction {
    /// The heads that one batch names, so that it stays below the longest batch.
    private static let headsMax = 512

    /// Authors cuts of a person's own logs, by devices that the person removed.
    fileprivate func end(
        _ heads: [LogHead], by person: PersonID, sign: Sign
    ) throws {
        let ordered = heads.sorted()
        for start in stride(from: 0, to: heads.count, by: Self.headsMax) {
            let named = ordered[start..<min(start + Self.headsMax, heads.count)]
            try author(
                BatchBody([Operation(control: .cut(person, Array(named)))]), by: person, sign: sign)
        }
    }
}
