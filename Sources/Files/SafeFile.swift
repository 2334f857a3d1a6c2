internal import Foundation
internal import Glibc
internal import Synchronization

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

    /// Writes a new file; it is on the disk when this returns. A file at the path is not replaced,
    /// also if it appears meanwhile. On a file system without hard links, such as that of a USB
    /// stick, the file has its name before it is complete.
    /// - Throws: `POSIXError`, with the code `EEXIST` if there is a file; nothing is left then.
    package static func writeNew(_ bytes: [UInt8], to path: String) throws {
        guard unsafe access(path, F_OK) != 0 else { throw POSIXError(.EEXIST) }
        let draft = draftName(beside: path)
        try createOrRemove(draft, holding: bytes)
        defer { unsafe unlink(draft) }
        // Unlike a rename, a hard link replaces nothing.
        if unsafe link(draft, path) != 0 {
            guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { throw lastError }
            try createOrRemove(path, holding: bytes)
        }
        try sync(directory: path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
    }

    /// Replaces a file of a folder that belongs to the person, or writes it for the first time, as
    /// ``write(_:to:)`` does in the home. A symbolic link stays one, and its target is replaced.
    /// - Throws: `POSIXError`, as ``write(_:to:)`` does.
    package static func replace(_ path: String, with bytes: [UInt8]) throws {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let draft = draftName(beside: target)
        try createOrRemove(draft, holding: bytes)
        guard unsafe rename(draft, target) == 0 else {
            let fault = lastError
            unsafe unlink(draft)
            throw fault
        }
        try sync(directory: target.lastIndex(of: "/").map { String(target[...$0]) } ?? ".")
    }

    private static let draftsCount = Atomic(0)

    /// Returns a name that no other file has, for one that gets its own name when it is complete.
    private static func draftName(beside path: String) -> String {
        let number = draftsCount.wrappingAdd(1, ordering: .relaxed).newValue
        return "\(path).\(getpid())-\(number).new"
    }

    /// Creates a file; one that could not be written completely is removed.
    private static func createOrRemove(_ path: String, holding bytes: [UInt8]) throws {
        do { try create(path, holding: bytes) } catch {
            // A file that was there before is not ours.
            if (error as? POSIXError)?.code != .EEXIST { unsafe unlink(path) }
            throw error
        }
    }

    /// Returns the bytes of a regular file, at most one more than a limit. A pipe or a device is
    /// not waited for.
    /// - Throws: `POSIXError`, with the code `EINVAL` if it is no regular file.
    package static func readRegular(_ path: String, bytesMax: Int) throws -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw lastError }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw POSIXError(.EINVAL)
        }
        // One more than the file has, so that its end is seen; another program may let it grow.
        var bytes = [UInt8](repeating: 0, count: min(max(Int(status.st_size), 0), bytesMax) + 1)
        var filled = 0
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe Glibc.read(
                    descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw lastError }
            filled += count
            guard count > 0, filled <= bytesMax else { break }
            guard filled == bytes.count else { continue }
            bytes += [UInt8](repeating: 0, count: min(filled, bytesMax + 1 - filled))
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
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
