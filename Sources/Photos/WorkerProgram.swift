internal import Glibc

/// The program that reads pictures.
public struct WorkerProgram: Equatable, Sendable {
    /// The name of its file.
    public static let name = "waggle-photo"

    /// The path of its file.
    public let path: String

    /// Names a program.
    public init(path: String) {
        self.path = path
    }

    /// Finds the program beside the running one. All programs are installed in one folder, to which
    /// links such as `bin/waggle` lead.
    /// - Throws: ``PhotoFault/notInstalled(lookedIn:)``
    public static func find() throws(PhotoFault) -> WorkerProgram {
        try find(in: [runningFolder].compactMap(\.self))
    }

    /// Returns the first executable of this name in the folders.
    /// - Throws: ``PhotoFault/notInstalled(lookedIn:)``
    static func find(in folders: [String]) throws(PhotoFault) -> WorkerProgram {
        let paths = folders.map { "\($0)/\(name)" }
        guard let path = paths.first(where: { unsafe access($0, X_OK) == 0 }) else {
            throw .notInstalled(lookedIn: folders)
        }
        return WorkerProgram(path: path)
    }

    /// The folder of the running program, all links resolved.
    private static var runningFolder: String? {
        guard let real = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(real) }
        let path = unsafe String(cString: real)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
