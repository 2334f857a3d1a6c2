import Foundation

/// The directories of one test, which are removed with the value of its suite.
final class Homes {
    private let root = FileManager.default.temporaryDirectory
        .appendingPathComponent("waggle-replica-\(UUID().uuidString)")
    private var count = 0

    /// Makes an empty directory.
    func make() throws -> Home {
        count += 1
        let url = root.appendingPathComponent("\(count)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return Home(path: url.path, homes: self)
    }

    deinit { try? FileManager.default.removeItem(at: root) }
}
