import Foundation
import TestSupport

/// The directories of one test, which are removed with the value of its suite.
final class Homes {
    private var paths: [String] = []

    /// Makes an empty directory.
    func make() throws -> Home {
        let path = try TestDirectory.make("replica")
        paths.append(path)
        return Home(path: path, homes: self)
    }

    deinit { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
}
