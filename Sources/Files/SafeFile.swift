internal import Foundation
internal import Glibc

/// Small files that are written completely or not at all, readable only by their owner.
package enum SafeFile {
    /// Writes to a temporary file beside it, syncs that to the disk, renames it to the path and
    /// syncs the directory: after this returns, the file survives a power cut.
    /// - Throws: `POSIXError`; the path then holds the old bytes, or the new ones if only the last
    ///   sync failed.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        let beside = path + ".new"
        unsafe unlink(beside)
        do {
            try create(beside, holding: bytes)
            // It replaces an existing file in one step.
            guard unsafe rename(beside, path) == 0 else { throw lastError }
        } catch {
            unsafe unlink(beside)
            throw error
        }
        try sync(directory: path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
    }

    /// Waits until a directory's entries are on the disk.
    /// - Throws: `POSIXError`.
    package static func sync(directory: String) throws {
        let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw lastError }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw lastError }
    }

    private static func create(_ path: String, holding bytes: [UInt8]) throws {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { throw lastError }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw lastError }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw lastError }
    }

    private static var lastError: POSIXError {
        POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
    }

    /// Writes a small file that has to outlive the process but not the machine: nothing is synced,
    /// and a failure to write is ignored.
    package static func leave(_ bytes: [UInt8], at path: String) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
    }

    /// Returns the bytes of a file.
    package static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
