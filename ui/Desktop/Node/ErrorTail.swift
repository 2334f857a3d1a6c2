import Foundation
import Glibc
import Synchronization

/// The last bytes that a child process has written to its standard error. They are read while it
/// runs, because a child whose pipe is full waits until somebody reads.
///
/// ```swift
/// let tail = ErrorTail(pipe.fileHandleForReading)
/// process.terminationHandler = { _ in print(tail.end()) }
/// try process.run()
/// tail.begin()
/// ```
final class ErrorTail: Sendable {
    /// The number of bytes that are kept.
    static let bytesMax = 4 * 1024

    private let file: FileHandle
    private let bytes = Mutex<[UInt8]>([])

    /// The number of bytes of one reading: as many as a pipe holds.
    private static let readBytesMax = 64 * 1024

    /// Creates the tail of a pipe, without reading from it yet.
    init(_ file: FileHandle) {
        self.file = file
        _ = fcntl(file.fileDescriptor, F_SETFL, O_NONBLOCK)
    }

    /// Reads from now on whatever is written.
    func begin() {
        file.readabilityHandler = { [weak self] file in
            // At the end of the pipe it would be called again and again.
            guard let self, drain() else {
                file.readabilityHandler = nil
                return
            }
        }
    }

    /// Returns the text at the end, and reads no longer. Call it once the child has ended.
    func end() -> String {
        file.readabilityHandler = nil
        _ = drain()
        return bytes.withLock { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads once, without waiting.
    /// - Returns: whether more may come.
    private func drain() -> Bool {
        bytes.withLock { bytes in
            var part = [UInt8](repeating: 0, count: Self.readBytesMax)
            let count = unsafe part.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(file.fileDescriptor, buffer.baseAddress, buffer.count)
            }
            guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
            bytes = Array((bytes + part.prefix(count)).suffix(Self.bytesMax))
            return true
        }
    }
}
