import Glibc

/// Standard input and output, the only files of a worker.
enum StandardStreams {
    /// Reads exactly so many bytes; nil if there are fewer.
    static func read(count: Int) -> [UInt8]? {
        var isWhole = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let base = buffer.baseAddress {
                let found = unsafe Glibc.read(STDIN_FILENO, base + filled, count - filled)
                if found < 0, errno == EINTR { continue }
                guard found > 0 else { return }
                filled += found
            }
            isWhole = true
        }
        return isWhole ? bytes : nil
    }

    /// Writes all bytes; returns whether that succeeded.
    static func write(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count, let base = buffer.baseAddress {
                let count = unsafe Glibc.write(
                    STDOUT_FILENO, base + written, buffer.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }
}
