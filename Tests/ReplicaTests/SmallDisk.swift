import Foundation

/// A disk of a few kibibytes in memory, mounted over a directory. Only root can make one.
///
/// It calls the kernel, since Foundation's `Process` reads past the end of its list of open files
/// if there are over 1 300, as in a run of many tests.
struct SmallDisk {
    private let path: String

    init(at path: String, kibibytes: Int) throws {
        self.path = path
        guard unsafe mount("tmpfs", path, "tmpfs", 0, "size=\(kibibytes)k") == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Removes the disk, even if files on it are open.
    func unmount() { _ = unsafe umount2(path, CInt(MNT_DETACH)) }
}
