internal import Glibc
internal import Synchronization
internal import TestSupport
@_spi(ExperimentalCustomExecutors) internal import _Concurrency

/// Runs every job of the process on one thread, in an order that depends on the seed.
///
/// It replaces the global executor and the main actor's executor before the first task, so that all
/// of Swift's concurrency runs here. A job from another thread would make a seed meaningless, and
/// traps.
final class SeededExecutor: Sendable {
    /// The next thing to run.
    private enum Turn {
        /// A job of the global executor.
        case job(UnownedJob)
        /// The first waiting job of one actor's executor.
        case lane(Int)
        case main(UnownedJob)
    }

    private struct State {
        var generator = SeededGenerator(seed: 0)
        var turns: [Turn] = []
        var lanes: [SerialLane] = []
        var waiting: [[UnownedJob]] = []
        var count = 0
    }

    /// The only instance, because a process has one global executor.
    static let shared = SeededExecutor()

    private let thread = pthread_self()
    private let state = Mutex(State())

    /// Replaces the executors of the process. Must be called once, before the first task.
    static func install(seed: UInt64) {
        shared.state.withLock { $0.generator = SeededGenerator(seed: seed) }
        _createExecutors(factory: Factory.self)
    }

    /// The number of jobs that ran so far.
    var jobCount: Int { state.withLock { $0.count } }

    /// Creates an executor whose jobs run in order of arrival, like a queue.
    func lane() -> SerialLane {
        state.withLock { state in
            let lane = SerialLane(number: state.lanes.count)
            state.lanes.append(lane)
            state.waiting.append([])
            return lane
        }
    }

    /// Runs one job.
    /// - Returns: false if no job waits.
    func runOne() -> Bool {
        guard let (turn, lane) = state.withLock({ Self.draw(&$0) }) else { return false }
        switch turn {
        case .job(let job): unsafe job.runSynchronously(on: Factory.global.asUnownedTaskExecutor())
        case .main(let job): unsafe job.runSynchronously(on: Factory.main.asUnownedSerialExecutor())
        case .lane(let number):
            guard let lane else { preconditionFailure("lane \(number) has a turn and no job") }
            unsafe lane.job.runSynchronously(on: lane.executor.asUnownedSerialExecutor())
        }
        return true
    }

    private static func draw(
        _ state: inout State
    ) -> (Turn, (executor: SerialLane, job: UnownedJob)?)? {
        guard !state.turns.isEmpty else { return nil }
        state.count += 1
        let index = state.generator.number(0...state.turns.count - 1)
        state.turns.swapAt(index, state.turns.count - 1)
        let turn = state.turns.removeLast()
        guard case .lane(let number) = turn else { return (turn, nil) }
        return (turn, (state.lanes[number], state.waiting[number].removeFirst()))
    }

    private func add(_ turn: Turn) {
        checkThread()
        state.withLock { $0.turns.append(turn) }
    }

    fileprivate func add(_ job: UnownedJob, toLane number: Int) {
        checkThread()
        state.withLock { state in
            state.waiting[number].append(job)
            state.turns.append(.lane(number))
        }
    }

    private func checkThread() {
        precondition(
            pthread_equal(pthread_self(), thread) != 0, "a job came from outside the simulation")
    }

    /// The global executor.
    private final class Global: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) { shared.add(.job(UnownedJob(job))) }
    }

    /// The main actor's executor; the program's own loop runs the jobs.
    private final class Main: MainExecutor {
        func enqueue(_ job: consuming ExecutorJob) { shared.add(.main(UnownedJob(job))) }
        func run() { preconditionFailure("the simulation runs its jobs itself") }
        func runUntil(_ condition: () -> Bool) { run() }
        func stop() {}
    }

    private enum Factory: ExecutorFactory {
        static let global = Global()
        static let main = Main()
        static var defaultExecutor: any TaskExecutor { global }
        static var mainExecutor: any MainExecutor { main }
    }
}

/// A queue of one actor's jobs within the simulation.
final class SerialLane: SerialExecutor {
    private let number: Int

    fileprivate init(number: Int) { self.number = number }

    func enqueue(_ job: consuming ExecutorJob) {
        SeededExecutor.shared.add(UnownedJob(job), toLane: number)
    }
}
