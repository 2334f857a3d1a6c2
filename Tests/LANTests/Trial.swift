import Foundation

/// One run of `script/lan-trial`.
struct Trial {
    /// The name of the script's trial.
    let name: String

    init(_ name: String) { self.name = name }

    /// Runs the trial to its end.
    /// - Returns: the exit code, and the output.
    func run() async throws -> (status: Int32, story: String) {
        let process = Process()
        process.executableURL = Trial.root.appending(path: "script/lan-trial")
        process.arguments = [name]
        // The build of the tests made the binary; the script need not build it again.
        process.environment = ProcessInfo.processInfo.environment
            .merging(["WAGGLE_BUILT": "1"]) { _, new in new }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let story = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: story, as: UTF8.self))
    }

    /// The root of the repository, relative to this file.
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
