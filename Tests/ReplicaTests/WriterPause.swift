import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// Stops a pool's writing connection once, in the middle of its work, until it is resumed. What is
/// answered meanwhile does not wait for the writer.
final class WriterPause: Sendable {
    /// The steps of SQLite's machine between two calls of its progress handler.
    private static let granularity: CInt = 100

    private let stepsLeft: Mutex<Int>
    private let isOver = DispatchSemaphore(value: 0)
    private let (begun, begin) = AsyncStream.makeStream(of: Void.self)

    /// - Parameter steps: the steps after which the writer stops.
    init(afterSteps steps: Int, of pool: DatabasePool) {
        stepsLeft = Mutex(steps)
        pool.writeWithoutTransaction { database in
            unsafe sqlite3_progress_handler(
                database.sqliteConnection, WriterPause.granularity,
                { context in
                    guard let context = unsafe context else { return 0 }
                    unsafe Unmanaged<WriterPause>.fromOpaque(context).takeUnretainedValue().step()
                    return 0
                }, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    private func step() {
        let mayGoOn = stepsLeft.withLock { steps in
            defer { steps -= Int(WriterPause.granularity) }
            return steps <= 0 || steps > Int(WriterPause.granularity)
        }
        guard !mayGoOn else { return }
        begin.yield()
        begin.finish()
        isOver.wait()
    }

    /// Waits until the writer has stopped.
    func reached() async { for await _ in begun { return } }

    /// Lets the writer go on.
    func resume() { isOver.signal() }

    /// Removes the pause from the pool; call it before this value is released.
    func end(in pool: DatabasePool) {
        pool.writeWithoutTransaction { database in
            unsafe sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
        }
    }
}
