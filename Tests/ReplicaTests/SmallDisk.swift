import Foundation

/// A disk of a few kibibytes in memory, mounted over a directory. Only root can make one.
struct SmallDisk {
    private let path: String

    init(at path: String, kibibytes: Int) throws {
        self.path = path
        try SmallDisk.run(
            "/bin/mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", path)
    }

    /// Removes the disk, even if files on it are open.
    func unmount() { try? SmallDisk.run("/bin/umount", "-l", path) }

    private static func run(_ tool: String, _ arguments: String...) throws {
        let process = try Process.run(URL(fileURLWithPath: tool), arguments: arguments)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableNotLoadable) }
    }
}
