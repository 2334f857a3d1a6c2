internal import Glibc

/// The file systems of this computer.
public struct FileSystem: DiskSpace {
    /// Creates the value.
    public init() {}

    /// Returns the bytes that may still be written beside a file; nil if the system does not say.
    public func freeBytes(at path: String) -> Int? {
        var disk = statvfs()
        guard unsafe statvfs(path, &disk) == 0 else { return nil }
        let (bytes, overflows) = UInt64(disk.f_bavail).multipliedReportingOverflow(
            by: UInt64(disk.f_frsize))
        return overflows ? .max : Int(clamping: bytes)
    }
}
