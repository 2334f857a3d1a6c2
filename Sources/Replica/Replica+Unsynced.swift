internal import GRDB

extension Replica {
    /// From now on commits return before they are on the disk. Nothing but the control of the power
    /// trial wants this, which must lose what the store as it is keeps.
    package nonisolated func commitWithoutSync() throws {
        try ReplicaFault.translating(path: path) {
            try pool.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA synchronous = NORMAL")
            }
        }
    }
}
