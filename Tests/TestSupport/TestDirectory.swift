import Foundation

/// New directories for tests. All are inside one directory of this process, which is removed when
/// the process ends, also if a test fails or keeps its values for ever.
public enum TestDirectory {
    private static let root: String = {
        let id = ProcessInfo.processInfo.processIdentifier
        let root = NSTemporaryDirectory() + "waggle-tests-\(id)"
        // An earlier process may have had the same id, and have been killed.
        try? FileManager.default.removeItem(atPath: root)
        atexit { try? FileManager.default.removeItem(atPath: TestDirectory.root) }
        return root
    }()

    /// Returns the path of a name that nothing has yet; its directory exists.
    public static func newPath(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        return "\(root)/\(name)-\(UUID().uuidString.prefix(13))"
    }

    /// Makes an empty directory, and returns its path.
    public static func make(_ name: String) throws -> String {
        let path = try newPath(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }
}
