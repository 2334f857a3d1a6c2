import Glibc
import Identity
import PluginKit

/// The standard streams of this process.
struct Terminal: Sendable {
    /// Whether headings may be bold: only at a terminal, and only if colours are not disabled.
    let isColoured: Bool
    /// The columns of the terminal; nil if results go elsewhere.
    let width: Int?

    init(environment: [String: String]) {
        let refuses = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
        let isTerminal = isatty(STDOUT_FILENO) == 1
        isColoured = isTerminal && !refuses
        width = isTerminal ? Self.columns : nil
    }

    private static var columns: Int? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Writes a result. If the reader has closed the stream, the process ends: nothing is left to
    /// do.
    func write(_ text: String) {
        if !Self.write(text, to: STDOUT_FILENO) { exit(0) }
    }

    /// Writes an error.
    func writeError(_ text: String) {
        _ = Self.write(text, to: STDERR_FILENO)
    }

    /// Reads recovery words: at a terminal until nine are typed or a line is empty, else all of the
    /// standard input, up to one byte over the longest text.
    func readWords() -> String {
        guard isatty(STDIN_FILENO) == 1 else { return Self.read(RecoveryWords.textBytesMax + 1) }
        writeError(localized("Type your nine recovery words, in their order:") + "\n")
        var text = ""
        while text.split(whereSeparator: { $0.isWhitespace || $0 == "-" }).count
            < RecoveryWords.wordsCount, let line = readLine(), !line.isEmpty,
            text.utf8.count <= RecoveryWords.textBytesMax
        {
            text += line + "\n"
        }
        return text
    }

    /// Reads the standard input to its end, at most so many bytes.
    private static func read(_ bytesMax: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        var length = 0
        while length < bytesMax {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(
                    STDIN_FILENO, buffer.baseAddress?.advanced(by: length), bytesMax - length)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            length += count
        }
        return String(decoding: bytes.prefix(length), as: UTF8.self)
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            guard count > 0 || errno == EINTR else { return false }
            bytes = bytes.dropFirst(max(count, 0))
        }
        return true
    }
}
