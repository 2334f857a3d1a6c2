import Foundation
import Testing

@testable import Desktop

@MainActor
struct NodeLauncherTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("waggle-launcher-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func launcher(script: String?) throws -> NodeLauncher {
        if let script {
            let program = folder.appendingPathComponent("waggle")
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: program.path)
        }
        return NodeLauncher(
            home: folder.path, folders: [folder.path],
            logPath: folder.appendingPathComponent("node.log").path)
    }

    @Test func `a missing program is said with where it was looked for`() throws {
        let launcher = try launcher(script: nil)
        #expect(throws: LaunchFault.notInstalled(lookedIn: [folder.path])) {
            try launcher.start()
        }
    }

    @Test func `a node that ends at once is said in its own last words`() async throws {
        let launcher = try launcher(script: "echo first; echo another node runs here >&2; exit 7")
        try launcher.start()
        var fault: LaunchFault?
        while fault == nil {
            do throws(LaunchFault) { try launcher.checkAlive() } catch { fault = error }
            await Task.yield()
        }
        #expect(fault == .ended(exitCode: 7, lastWords: "another node runs here"))
        #expect(fault?.description == "another node runs here")
    }

    @Test func `the node gets its home and a session of its own`() async throws {
        let launcher = try launcher(
            script: #"echo "$@" $(($(cut -d' ' -f6 /proc/$$/stat) - $$)); exit 1"#)
        try launcher.start()
        var fault: LaunchFault?
        while fault == nil {
            do throws(LaunchFault) { try launcher.checkAlive() } catch { fault = error }
            await Task.yield()
        }
        #expect(fault == .ended(exitCode: 1, lastWords: "node --home \(folder.path) 0"))
    }
}
