internal import Crypto
internal import Foundation

/// A running SHA-256 over all events. Two runs of a seed must have the same hash.
struct Trace {
    private var hash = SHA256()
    private let isPrinted: Bool

    /// Creates an empty trace.
    /// - Parameter isPrinted: whether each event is also written to standard error.
    init(isPrinted: Bool) { self.isPrinted = isPrinted }

    /// Records an event at a virtual time with its bytes.
    mutating func record(
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
