internal import GRDB

extension Replica {
    /// Makes commits return before they are on the disk, from now on. Only the negative control of
    /// the power trial uses it: without syncs, the trial must find lost commits.
    package nonisolated func commitWithoutSync() throws {
        try ReplicaFault.translating(path: path) {
            try pool.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA synchronous = NORMAL")
            }
        }
    }
}
