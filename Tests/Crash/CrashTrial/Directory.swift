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
            let file = URL(fileURLWithPath: made + "/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.write(to: file)
        }
        return made
    }

    /// Returns the files in one of its directories and in those within it, by their paths there.
    func contents(_ name: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        let directory = path + "/" + name
        for file in try FileManager.default.subpathsOfDirectory(atPath: directory) {
            let whole = directory + "/" + file
            let attributes = try FileManager.default.attributesOfItem(atPath: whole)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            contents[file] = try Data(contentsOf: URL(fileURLWithPath: whole))
        }
        return contents
    }

    /// Removes the directory with all its content.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
