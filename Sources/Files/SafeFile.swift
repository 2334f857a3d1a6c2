internal import Foundation
internal import Glibc

/// Small files that are written completely or not at all, readable only by their owner.
package enum SafeFile {
    /// Writes to a temporary file beside it, syncs that to the disk and renames it to the path.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        let beside = path + ".new"
        let manager = FileManager.default
        try? manager.removeItem(atPath: beside)
        guard
            manager.createFile(
                atPath: beside, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteNoPermission) }
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: beside))
        defer { try? handle.close() }
        try handle.write(contentsOf: Data(bytes))
        try handle.synchronize()
        // Foundation replaces only an existing file; rename works whether it exists or not, in one
        // step.
        guard unsafe rename(beside, path) == 0 else {
            throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
        }
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
