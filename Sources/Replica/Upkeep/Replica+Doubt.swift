internal import GRDB
public import Records

extension Replica {
    /// Records that a person's devices may have lost batches of a space: their acknowledgements are
    /// deleted, and so is the record that they have their own batches.
    ///
    /// For example, Ann ended her mateship with Ben, and Ben acknowledged it. Then Ben restores a
    /// backup from before, and names the space of the two again. Ann's replica doubts it, so the
    /// end counts as undelivered and is sent again.
    /// - Returns: whether the space is stored here.
    /// - Throws: ``ReplicaFault``.
    @discardableResult
    public func doubt(_ person: PersonID, in space: SpaceID) throws -> Bool {
        guard let number = states[space]?.number else { return false }
        try write { database in
            try database.execute(
                sql: """
                    DELETE FROM acknowledged WHERE space = ?
                    AND device IN (SELECT device FROM device WHERE person = ?)
                    """, arguments: [number, person.sql])
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO doubted
                    SELECT space, device, max(number) FROM (
                        SELECT space, device, (SELECT max(id) FROM batch
                            WHERE id >= log.number << 40 AND id < (log.number + 1) << 40)
                            & 1099511627775 AS number
                        FROM log WHERE space = ? AND person = ?)
                    WHERE number IS NOT NULL GROUP BY device
                    """, arguments: [number, person.sql])
        }
        return true
    }
}
