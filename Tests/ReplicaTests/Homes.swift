import Foundation

/// The directories of one test, which go when its suite's value does.
final class Homes {
    private let root = FileManager.default.temporaryDirectory
        .appendingPathComponent("waggle-replica-\(UUID().uuidString)")
    private var count = 0

    /// A new empty directory.
    func make() throws -> Home {
        count += 1
        let url = root.appendingPathComponent("\(count)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return Home(path: url.path, homes: self)
    }

    deinit { try? FileManager.default.removeItem(at: root) }
}
