internal import GRDB
public import Records

extension Replica {
    /// Closes groups and removes everything that is stored of them, in one transaction. The people
    /// who were known only because of them are forgotten.
    ///
    /// A group in which this replica's person has ever written stays open: this device's numbers in
    /// its log must never be used again. If a closed group is opened again, its batches come again
    /// from its members.
    /// - Returns: the spaces that were closed.
    /// - Throws: ``ReplicaFault``; nothing was changed then.
    @discardableResult
    public func close(_ groups: [SpaceID]) throws -> [SpaceID] {
        let closing = Set(groups).sorted().compactMap { states[$0] }.filter(mayClose)
        guard !closing.isEmpty else { return [] }
        try remove(closing) { _, _ in }
        try forgetPeople(of: closing)
        publishUpkeep()
        return closing.map(\.id)
    }

    /// Removes spaces with everything that is stored of them, in one transaction, and the people
    /// who were known only because of logs there.
    /// - Parameter keep: keeps what must stay of a space.
    func remove(
        _ closing: [SpaceState], keep: (SpaceState, Database) throws -> Void
    ) throws {
        guard !closing.isEmpty else { return }
        let isWritten = closing.contains { !$0.logs.isEmpty }
        let content = try write { database in
            let content = try closing.flatMap {
                try BlobTable(database: database).hashes(in: $0.number)
            }
            // Triggers of the collections write into some of the others.
            let tables = catalog.all.flatMap(\.rowNames) + Schema.tablesBySpace
            for state in closing {
                let number = state.number
                try keep(state, database)
                try database.execute(
                    sql: """
                        DELETE FROM batch WHERE id IN (SELECT b.id FROM log l CROSS JOIN batch b
                            ON b.id >= l.number << 40 AND b.id < (l.number + 1) << 40
                            WHERE l.space = ?)
                        """, arguments: [number])
                for table in tables {
                    try database.execute(
                        sql: "DELETE FROM \"\(table)\" WHERE space = ?", arguments: [number])
                }
                try database.execute(sql: "DELETE FROM space WHERE number = ?", arguments: [number])
            }
            // An author may have erased some of it elsewhere, which this replica will not hear.
            if isWritten { try database.execute(sql: "INSERT OR IGNORE INTO scrub VALUES (0)") }
            return content
        }
        for state in closing {
            states[state.id] = nil
            blobFiles.removePartials(of: state.id)
        }
        arriving = nil
        removeUnreachable(Set(content))
        recordErased(isWritten ? .othersErase : nil)
        try forgetBrought()
    }

    /// Whether a space is a group in which neither this device nor its person has written.
    private func mayClose(_ state: SpaceState) -> Bool {
        let own = claims[device] ?? []
        return state.descriptor.kind == .group && state.rows(of: device).isEmpty
            && !state.logs.values.contains { own.contains($0.person) }
    }
}
