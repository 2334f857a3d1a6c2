internal import Foundation

/// A directory for one trial.
struct Directory {
    let path: String

    init(_ path: String) { self.path = path }

    /// Makes an empty directory within it.
    func make(_ name: String) throws -> String {
        let made = path + "/" + name
        try? FileManager.default.removeItem(atPath: made)
        try FileManager.default.createDirectory(
            atPath: made, withIntermediateDirectories: true)
        return made
    }

    /// Makes a directory within it that contains these files.
    func make(_ name: String, holding contents: [String: Data]) throws -> String {
        let made = try make(name)
        for (name, bytes) in contents {
            try bytes.write(to: URL(fileURLWithPath: made + "/" + name))
        }
        return made
    }

    /// Returns the files in one of its directories.
    func contents(_ name: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: path + "/" + name) {
            contents[file] = try Data(
                contentsOf: URL(fileURLWithPath: path + "/" + name + "/" + file))
        }
        return contents
    }

    /// Removes the directory with all its content.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
