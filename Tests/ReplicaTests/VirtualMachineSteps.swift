import GRDB
import GRDBSQLite
import Records

@testable import Replica

/// Counts the steps of SQLite's virtual machine, which do not depend on how busy the host is.
enum VirtualMachineSteps {
    /// The steps between two calls of SQLite's progress handler.
    private static let granularity: CInt = 100

    /// Returns the steps that some work takes, in hundreds rounded down.
    static func count(in database: Database, _ work: () throws -> Void) throws -> Int {
        try count(work) { try $0(database) }
    }

    /// Returns the steps that some work takes on a pool's writing connection, which it accesses
    /// itself.
    static func count(inWriterOf pool: DatabasePool, _ work: () throws -> Void) throws -> Int {
        try count(work) { access in try pool.writeWithoutTransaction { try access($0) } }
    }

    private static func count(
        _ work: () throws -> Void, accessing: ((Database) throws -> Void) throws -> Void
    ) throws -> Int {
        let box = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        unsafe box.initialize(to: 0)
        defer { unsafe box.deallocate() }
        try accessing { database in
            guard let connection = unsafe database.sqliteConnection else { return }
            unsafe sqlite3_progress_handler(
                connection, granularity,
                { context in
                    guard let context = unsafe context else { return 0 }
                    unsafe context.assumingMemoryBound(to: Int.self).pointee += 1
                    return 0
                }, box)
        }
        defer {
            try? accessing { database in
                unsafe sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
            }
        }
        try work()
        return unsafe box.pointee * Int(granularity)
    }
}

extension Replica {
    /// Merges runs of one space, and returns the steps that this takes.
    func steps(
        merging runs: [Run], in space: SpaceID, wallTime: Timestamp = now
    ) throws -> (outcome: MergeOutcome, count: Int) {
        var outcome = MergeOutcome()
        let count = try VirtualMachineSteps.count(inWriterOf: pool) {
            outcome = try merge(runs.map { (space, $0) }, wallTime: wallTime)
        }
        return (outcome, count)
    }

    /// Lets a person owe work.
    func owe(_ units: Int, by person: PersonID) {
        pace.add(units, to: person, wallTime: now)
    }
}
