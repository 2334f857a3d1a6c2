import Contract
import Foundation
import Glibc
import NodeAPI

/// A reason why the window could not start a node.
enum LaunchFault: Error, Equatable, CustomStringConvertible {
    case notInstalled(lookedIn: [String])
    case notStarted(program: String, reason: String)
    case ended(ProgramEnd)
    case silent(after: Duration)

    var description: String {
        switch self {
        case .notInstalled(let folders):
            localized(
                "The program “waggle” is neither beside this window nor in PATH "
                    + "(looked in \(folders.joined(separator: ", "))). Install it, then try again.")
        case .notStarted(let program, let reason):
            localized("\(program) could not be started: \(reason).")
        case .ended(let end):
            localized("Waggle ended at once: \(end.reason)")
        case .silent(let time):
            localized(
                "Waggle was started but did not answer within \(time.components.seconds) s. "
                    + "Try again; if it stays silent, run “waggle node” in a terminal to see why.")
        }
    }
}

/// Starts a node, and checks that it still runs.
@MainActor
protocol NodeStarting {
    /// Starts it in the background, and before that creates an identity if there is none. The
    /// recovery words of a new identity are kept in ``RecoveryWordsFile``.
    func start() async throws(LaunchFault)
    /// - Throws: ``LaunchFault/ended(_:)`` once it has ended.
    func checkAlive() throws(LaunchFault)
}

/// Starts `waggle node` so that it outlives the window: in a separate session, with its output in a
/// file.
@MainActor
final class NodeLauncher: NodeStarting {
    private let homeArguments: [String]
    private let folders: [String]
    private let logPath: String
    private let words: RecoveryWordsFile
    private let hasIdentity: () -> Bool
    private var child: Child?

    /// A node that was started and not yet waited for.
    private struct Child {
        let process: pid_t
        let program: String
        let output: ProgramOutput
    }

    /// POSIX_SPAWN_SETSID of spawn.h, which is visible there only to GNU sources.
    private static let newSession: Int16 = 0x80

    /// Creates a launcher for the node of `home` (nil: the user's own), looking for `waggle` in
    /// `folders`.
    init(
        home: String?, folders: [String], logPath: String, words: RecoveryWordsFile,
        hasIdentity: @escaping () -> Bool
    ) {
        self.words = words
        homeArguments = home.map { ["--home", $0] } ?? []
        self.folders = folders
        self.logPath = logPath
        self.hasIdentity = hasIdentity
    }

    /// Starts the first executable `waggle` in the folders.
    func start() async throws(LaunchFault) {
        guard let program = Self.program(in: folders) else {
            throw .notInstalled(lookedIn: folders)
        }
        if !hasIdentity() {
            let created = try await createIdentity(program)
            do {
                try words.keep(created)
            } catch {
                throw .notStarted(program: program, reason: "\(error)")
            }
        }
        let output = ProgramOutput(in: logPath)
        child = Child(process: try spawn(program), program: program, output: output)
    }

    /// Returns the first executable `waggle` in these folders.
    static func program(in folders: [String]) -> String? {
        folders.map { $0 + "/waggle" }.first { unsafe access($0, X_OK) == 0 }
    }

    private func createIdentity(_ program: String) async throws(LaunchFault) -> [String] {
        let process = Process()
        let (output, faults) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["init", "--json"] + homeArguments
        process.standardOutput = output
        process.standardError = faults
        do {
            try await process.runToEnd()
        } catch {
            throw .notStarted(program: program, reason: error.localizedDescription)
        }
        // Both texts are a few hundred bytes, so neither pipe fills before the end.
        guard process.terminationStatus == 0,
            let created = try? JSONDecoder().decode(
                CreatedIdentity.self, from: output.fileHandleForReading.availableData)
        else {
            let said = String(
                decoding: faults.fileHandleForReading.availableData, as: UTF8.self)
            throw .ended(process.end(of: program, output: said))
        }
        return created.recoveryWords.map(\.string)
    }

    /// Checks that the node that was started still runs.
    func checkAlive() throws(LaunchFault) {
        guard let child else { return }
        var status: Int32 = 0
        guard unsafe waitpid(child.process, &status, WNOHANG) == child.process else { return }
        self.child = nil
        let signal = status & 0x7f
        guard signal == 0 else { throw .ended(.signal(signal)) }
        throw .ended(
            ProgramEnd(code: (status >> 8) & 0xff, of: child.program, output: child.output.text))
    }

    private func spawn(_ program: String) throws(LaunchFault) -> pid_t {
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setflags(&attributes, Self.newSession)
        var files = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&files)
        defer { unsafe posix_spawn_file_actions_destroy(&files) }
        unsafe posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(
            &files, 1, logPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        unsafe posix_spawn_file_actions_adddup2(&files, 1, 2)

        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program, "node"] + homeArguments).map {
            unsafe strdup($0)
        }
        unsafe words.append(nil)
        defer { unsafe words.forEach { unsafe free($0) } }
        var started: pid_t = 0
        let fault = unsafe posix_spawn(
            &started, program, &files, &attributes, words, environ)
        guard fault == 0 else {
            throw .notStarted(program: program, reason: unsafe String(cString: strerror(fault)))
        }
        return started
    }
}

extension Process {
    /// The end of a program that has ended, with the last lines of its output.
    func end(of program: String, output: String) -> ProgramEnd {
        terminationReason == .uncaughtSignal
            ? .signal(terminationStatus)
            : ProgramEnd(code: terminationStatus, of: program, output: output)
    }

    /// Runs the program and waits for its end without holding a thread.
    fileprivate func runToEnd() async throws {
        try await withCheckedThrowingContinuation {
            (waiter: CheckedContinuation<Void, any Error>) in
            terminationHandler = { _ in waiter.resume() }
            do {
                try run()
            } catch {
                terminationHandler = nil
                waiter.resume(throwing: error)
            }
        }
    }
}
