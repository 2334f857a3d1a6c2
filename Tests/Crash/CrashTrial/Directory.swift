internal import Foundation

/// A directory of a trial's own.
struct Directory {
    let path: String

    init(_ path: String) { self.path = path }

    /// A new empty directory within it.
    func make(_ name: String) throws -> String {
        let made = path + "/" + name
        try? FileManager.default.removeItem(atPath: made)
        try FileManager.default.createDirectory(
            atPath: made, withIntermediateDirectories: true)
        return made
    }

    /// A new directory within it that holds these files.
    func make(_ name: String, holding contents: [String: Data]) throws -> String {
        let made = try make(name)
        for (name, bytes) in contents {
            try bytes.write(to: URL(fileURLWithPath: made + "/" + name))
        }
        return made
    }

    /// The files in one of its directories.
    func contents(_ name: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: path + "/" + name) {
            contents[file] = try Data(
                contentsOf: URL(fileURLWithPath: path + "/" + name + "/" + file))
        }
        return contents
    }

    /// Takes it away with all that is in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
