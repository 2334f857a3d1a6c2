import Glibc

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
