internal import Crypto
internal import Foundation

/// A running SHA-256 over everything that happens: two runs of a seed have the same or are not the
/// same run.
struct Trace {
    private var hash = SHA256()
    private let isPrinted: Bool

    /// - Parameter isPrinted: whether each event is written to standard error too.
    init(isPrinted: Bool) { self.isPrinted = isPrinted }

    /// Notes what happened at a virtual time, with bytes that belong to it.
    mutating func note(
        _ milliseconds: Int64, _ event: @autoclosure () -> String, _ bytes: [UInt8] = []
    ) {
        let line = "\(milliseconds) \(event())\n"
        hash.update(data: Array(line.utf8))
        hash.update(data: bytes)
        if isPrinted { FileHandle.standardError.write(Data(line.utf8)) }
    }

    /// The hash so far, in hexadecimal digits.
    var digest: String {
        hash.finalize().map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
    }
}
