internal import GRDB
public import Records

/// The epoch of a replica, which changes if the replica may have lost acknowledged batches.
extension Replica {
    /// Returns this replica's epoch, and draws it at the first call.
    /// - Throws: ``ReplicaFault``.
    public func epoch() throws -> Bytes16 {
        if let known = try epoch(of: device) { return known }
        return try renewEpoch()
    }

    /// Draws a new epoch, after a backup was restored or own batches came back from a peer.
    /// - Throws: ``ReplicaFault``.
    @discardableResult
    public func renewEpoch() throws -> Bytes16 {
        let fresh = drawSalt()
        try write { database in try store(fresh, of: device, in: database) }
        return fresh
    }

    /// Stores a peer's epoch. If it is not the stored one, the acknowledgements of the peer's
    /// device are deleted: those from before the first epoch too, since the peer may have lost its
    /// batches since.
    ///
    /// For example, a peer acknowledged batch 9 while this device was a stranger to it and heard no
    /// epoch. Then the peer restored a backup with batches 1 to 5, and names its epoch at the next
    /// link. The vectors of that link say again what the peer holds.
    /// - Returns: whether another epoch was known before.
    /// - Throws: ``ReplicaFault``.
    @discardableResult
    public func recordEpoch(_ epoch: Bytes16, of peer: DeviceID) throws -> Bool {
        let known = try self.epoch(of: peer)
        guard known != epoch else { return false }
        try write { database in
            try store(epoch, of: peer, in: database)
            try database.execute(
                sql: "DELETE FROM acknowledged WHERE device = ?", arguments: [peer.sql])
        }
        return known != nil
    }

    private func epoch(of device: DeviceID) throws -> Bytes16? {
        try read { database in
            try GRDB.Row.fetchOne(
                database, sql: "SELECT epoch FROM epoch WHERE device = ?",
                arguments: [device.sql]
            ).flatMap { Bytes16($0.bytes(0)) }
        }
    }

    private func store(_ epoch: Bytes16, of device: DeviceID, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO epoch VALUES (?, ?)",
            arguments: [device.sql, epoch.bytes.sql])
    }
}
