import Foundation
import Glibc
import PanelKit

/// Runs a practice mate, `waggle practice`, as a child of the window. Its standard input is a pipe
/// that the window holds: it ends when the window closes the pipe, or ends in any way. It then
/// ends the mateship and removes its files.
@MainActor
final class PracticeProcess {
    /// The state of the practice mate.
    enum State: Equatable {
        case off
        case on
        /// It ends the mateship and removes its files.
        case ending
        /// It has ended by itself, with a sentence that says why.
        case failed(String)
    }

    private(set) var state = State.off
    /// Called whenever the state has changed.
    var onChange: @MainActor () -> Void = {}

    private let homeArguments: [String]
    private let folders: [String]
    private let practiceFolder: String
    private let logPath: String
    private var input: FileHandle?
    /// Whether to start it once the node answers.
    private var isWantedAtStart: Bool

    /// Creates a process for the node of `home` (nil: the user's own), looking for `waggle` in
    /// `folders`.
    /// - Parameters:
    ///   - practiceFolder: the folder of the practice mate's files.
    ///   - logPath: the file to which its output is added.
    ///   - isWanted: whether to start it once the node answers.
    init(
        home: String?, folders: [String], practiceFolder: String, logPath: String, isWanted: Bool
    ) {
        homeArguments = home.map { ["--home", $0] } ?? []
        self.folders = folders
        self.practiceFolder = practiceFolder
        self.logPath = logPath
        isWantedAtStart = isWanted
    }

    /// Starts it if that was wanted from the beginning. Otherwise ends a practice that a crash has
    /// left behind.
    func nodeIsLive() {
        guard state == .off else { return }
        if isWantedAtStart {
            isWantedAtStart = false
            start()
        } else if FileManager.default.fileExists(atPath: practiceFolder) {
            start()
            stop()
        }
    }

    /// Starts it.
    func start() {
        guard input == nil else { return }
        guard let program = NodeLauncher.program(in: folders) else {
            return enter(.failed(LaunchFault.notInstalled(lookedIn: folders).description))
        }
        let (process, words, output) = (Process(), Pipe(), ProgramOutput(in: logPath))
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["practice", "--attached"] + homeArguments
        process.standardInput = words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = log()
        // A node that this window starts later must not hold the pipe open.
        _ = fcntl(words.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        process.terminationHandler = { [weak self] process in
            let end = process.end(of: program, output: output.text)
            Task { @MainActor in self?.ended(end) }
        }
        do {
            try process.run()
        } catch {
            return enter(.failed(error.localizedDescription))
        }
        input = words.fileHandleForWriting
        enter(.on)
    }

    /// Asks it to end.
    func stop() {
        guard let input else { return }
        try? input.close()
        self.input = nil
        enter(.ending)
    }

    private func ended(_ end: ProgramEnd) {
        let isExpected = state == .ending || end == .exit(code: 0)
        input = nil
        // The practice mate leaves nothing behind; after a failure the log may be asked for.
        if isExpected { try? FileManager.default.removeItem(atPath: logPath) }
        enter(isExpected ? .off : .failed(end.reason))
    }

    /// Opens the log. Without one, for example on a full disk, the program runs all the same.
    private func log() -> FileHandle {
        let file = unsafe open(logPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        return file < 0
            ? .nullDevice : FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }

    private func enter(_ next: State) {
        state = next
        onChange()
    }

    /// The offer that fits the state.
    var offer: PracticeOffer {
        let start = PanelAction(localized("Try with a practice mate")) { [weak self] in
            self?.start()
        }
        switch state {
        case .off:
            return PracticeOffer(
                localized(
                    "No one to try it with? A practice mate lives on this computer only. It answers "
                        + "you as a person would."), action: start, isOn: false)
        case .on:
            return PracticeOffer(
                localized(
                    "Your practice mate lives on this computer only. When you stop, it is removed, "
                        + "with everything you wrote to each other."),
                action: PanelAction(localized("Stop practising")) { [weak self] in self?.stop() },
                isOn: true)
        case .ending:
            return PracticeOffer(
                localized("Your practice mate is leaving…"), action: nil, isOn: true)
        case .failed(let reason):
            return PracticeOffer(
                localized("The practice mate has stopped: \(reason)"), action: start, isOn: true)
        }
    }
}
