internal import Foundation
internal import Glibc

/// Small files that are written whole or not at all, for the owner alone.
enum SafeFile {
    /// Writes to a file beside, brings it to the disk and puts it in place.
    static func write(_ bytes: [UInt8], to path: String) throws {
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
        // Foundation replaces only what is there already; rename does both in one step.
        guard unsafe rename(beside, path) == 0 else {
            throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
        }
    }

    /// Leaves a note that has to outlive the process but not the machine: nothing is synced, and
    /// where it cannot be written there is none.
    static func leave(_ bytes: [UInt8], at path: String) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
    }

    /// The bytes of a file.
    static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
