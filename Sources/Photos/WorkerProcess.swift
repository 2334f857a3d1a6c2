internal import CSpawn
internal import Glibc
internal import PhotoFormat
internal import Synchronization

/// One run of the worker: a process that gets one picture and gives one answer over a socket pair,
/// its standard input and output.
///
/// ``run(_:for:)`` blocks its thread; ``end()`` may be called on any other.
final class WorkerProcess: Sendable {
    private enum State {
        case unstarted
        case running(pid_t)
        /// It was told to end, or has.
        case ended
    }

    /// The end of the process.
    private enum Ending: Equatable {
        case exited(code: Int32)
        case killed
    }

    private let program: WorkerProgram
    private let timeMax: Duration
    private let state = Mutex(State.unstarted)

    /// Prepares a run that takes at most `timeMax`.
    init(_ program: WorkerProgram, timeMax: Duration) {
        self.program = program
        self.timeMax = timeMax
    }

    /// Ends the process at once. A run that has not started yet will not.
    func end() {
        state.withLock { state in
            // Its number cannot be that of another process: it is given up under this lock.
            if case .running(let process) = state { kill(process, SIGKILL) }
            if case .unstarted = state { state = .ended }
        }
    }

    /// Runs the worker on a picture.
    /// - Throws: ``PhotoFault``; ``PhotoRefusal/tooCostly`` if a limit ended the worker, or its
    ///   answer is none.
    func run(_ picture: [UInt8], for task: PhotoTask) throws(PhotoFault) -> PhotoAnswer {
        let (ours, theirs) = try socketPair()
        defer { close(ours) }
        do {
            defer { close(theirs) }
            try start(theirs)
        }
        let head = PhotoRequest(task: task, bytesCount: picture.count).head
        let deadline = ContinuousClock.now + timeMax
        var exchange = WorkerExchange(
            descriptor: ours, answerBytesMax: task.answerBytesMax, deadline: deadline)
        let isAnswered = exchange.run(sending: [head, picture])
        // An answer is whole when the worker has closed its end. Usually the worker then ends by
        // itself, but a picture that has taken it over may keep it alive.
        if !isAnswered || !hasEnded(by: deadline) { end() }
        let ending = reap()
        if isAnswered, let answer = try? PhotoAnswer(exchange.received, to: task) { return answer }
        switch ending {
        case .exited(let code) where code != 0:
            throw .broken(program: program.path, exitCode: code)
        case .exited, .killed: throw .refused(.tooCostly)
        }
    }

    private func socketPair() throws(PhotoFault) -> (Int32, Int32) {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw notStarted(errno) }
        return (pair[0], pair[1])
    }

    private func start(_ socket: Int32) throws(PhotoFault) {
        let fault: PhotoFault? = state.withLock { state in
            guard case .unstarted = state else { return .cancelled }
            var process: pid_t = 0
            let code = spawn(&process, socket)
            guard code == 0 else {
                state = .ended
                return notStarted(code)
            }
            state = .running(process)
            return nil
        }
        if let fault { throw fault }
    }

    private func notStarted(_ code: Int32) -> PhotoFault {
        .notStarted(program: program.path, reason: unsafe String(cString: strerror(code)))
    }

    /// Starts the process with the socket as its input and output, the default signals, and of the
    /// environment only the path of libraries. It inherits no other descriptor: it would keep the
    /// port of links in use if the node ended or started again meanwhile, because sockets of NIO
    /// are not closed when a program is started.
    private func spawn(_ process: inout pid_t, _ socket: Int32) -> Int32 {
        var files = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&files)
        defer { unsafe posix_spawn_file_actions_destroy(&files) }
        unsafe posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&files, socket, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1)

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var (all, none) = (sigset_t(), sigset_t())
        unsafe sigfillset(&all)
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let libraries = unsafe getenv("LD_LIBRARY_PATH").map {
            unsafe "LD_LIBRARY_PATH=" + String(cString: $0)
        }
        var words = unsafe Self.copies([program.path])
        var environment = unsafe Self.copies([libraries, "LC_ALL=C"].compactMap(\.self))
        defer { unsafe (words + environment).forEach { unsafe free($0) } }
        return unsafe posix_spawn(
            &process, program.path, &files, &attributes, &words, &environment)
    }

    /// Returns texts as C has them, with nil at the end; the caller frees them.
    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        var copies = unsafe texts.map { unsafe strdup($0) as UnsafeMutablePointer<CChar>? }
        unsafe copies.append(nil)
        return unsafe copies
    }

    /// Waits until the process has ended; false if it has not by the deadline.
    private func hasEnded(by deadline: ContinuousClock.Instant) -> Bool {
        guard case .running(let process) = state.withLock({ $0 }) else { return true }
        while ContinuousClock.now < deadline {
            var found = unsafe siginfo_t()
            let flags = WEXITED | WNOWAIT | WNOHANG
            // The signal stays 0 while the process runs.
            if unsafe waitid(P_PID, id_t(process), &found, flags) == 0,
                unsafe found.si_signo != 0
            {
                return true
            }
            usleep(1000)
        }
        return false
    }

    /// Waits until the process has ended.
    private func reap() -> Ending {
        guard case .running(let process) = state.withLock({ $0 }) else { return .killed }
        var found = unsafe siginfo_t()
        // The number stays the process's own until it is given up under the lock.
        while unsafe waitid(P_PID, id_t(process), &found, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return state.withLock { state in
            state = .ended
            var status: Int32 = 0
            while unsafe waitpid(process, &status, 0) < 0 {
                guard errno == EINTR else { return .killed }
            }
            return status & 0x7F == 0 ? .exited(code: (status >> 8) & 0xFF) : .killed
        }
    }
}
