import GRDB

/// Another connection in the middle of a read.
final class OpenReader {
    private let queue: DatabaseQueue

    init(_ path: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN")
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM batch")
        }
    }

    func end() throws {
        try queue.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        try queue.close()
    }
}
