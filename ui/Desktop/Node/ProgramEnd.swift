import Contract
import ControlAPI
import Foundation

/// The end of a program that the window had started.
enum ProgramEnd: Equatable, Sendable {
    /// It gave up, with its own sentence.
    case fault(String)
    case exit(code: Int32)
    case signal(Int32)

    /// Reads the end of a program that was not ended by a signal.
    /// - Parameters:
    ///   - program: its path.
    ///   - output: its last lines. Of these only a fault counts: the line `waggle: SENTENCE`, its
    ///     JSON, or that of the system's loader, which begins with the path. The others are a log.
    init(code: Int32, of program: String, output: String) {
        let faults = output.split(separator: "\n").compactMap { line in
            Self.sentence(in: String(line), of: program)
        }
        self = faults.last.map(ProgramEnd.fault) ?? .exit(code: code)
    }

    private static func sentence(in line: String, of program: String) -> String? {
        for name in ["waggle: ", program + ": "] where line.hasPrefix(name) {
            return String(line.dropFirst(name.count))
        }
        guard line.hasPrefix("{"), let value = try? JSONValue(parsing: Array(line.utf8)) else {
            return nil
        }
        return CommandFault(envelope: value)?.sentence
    }

    /// The reason, to follow a colon.
    var reason: String {
        switch self {
        case .fault(let sentence): sentence
        case .exit(let code): localized("exit code \(code)")
        case .signal(let number):
            Self.crashes.contains(number)
                ? localized("it crashed (signal \(number))")
                : localized("the system or another program ended it (signal \(number))")
        }
    }

    /// The signals that a program causes itself.
    private static let crashes: Set<Int32> = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
}

/// The output that a program adds to its log from now on.
struct ProgramOutput: Sendable {
    /// The number of bytes that are read at most.
    static let bytesMax = 4096

    private let path: String
    private let start: UInt64

    /// Begins at the present end of a log, which need not exist.
    init(in path: String) {
        self.path = path
        start = (try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).seekToEnd()) ?? 0
    }

    /// The last bytes that were added.
    var text: String {
        guard let file = FileHandle(forReadingAtPath: path), let end = try? file.seekToEnd(),
            end > start
        else { return "" }
        let bytesCount = min(end - start, UInt64(Self.bytesMax))
        try? file.seek(toOffset: end - bytesCount)
        let bytes = (try? file.read(upToCount: Int(bytesCount))) ?? Data()
        return String(decoding: bytes, as: UTF8.self)
    }
}
