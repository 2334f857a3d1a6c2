import Contract
import ControlAPI
import Foundation
import NodeAPI
import TestSupport
import Testing

@testable import Desktop

@MainActor
struct NodeLauncherTests {
    private let folder: URL

    init() throws {
        folder = URL(fileURLWithPath: try TestDirectory.make("launcher"))
    }

    private var words: RecoveryWordsFile {
        RecoveryWordsFile(path: folder.appendingPathComponent("recovery.words").path)
    }

    private func launcher(script: String?, hasIdentity: Bool = true) throws -> NodeLauncher {
        if let script {
            // A child process writes the program. If this process did, children that other tests
            // start meanwhile would have it open for writing, and the kernel would not run it.
            let source = folder.appendingPathComponent("source")
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: source)
            let install = Process()
            install.executableURL = URL(fileURLWithPath: "/usr/bin/install")
            install.arguments = [
                "-m", "755", source.path, folder.appendingPathComponent("waggle").path,
            ]
            try install.run()
            install.waitUntilExit()
            #expect(install.terminationStatus == 0)
        }
        return NodeLauncher(
            home: folder.path, folders: [folder.path],
            logPath: folder.appendingPathComponent("node.log").path, words: words,
            hasIdentity: { hasIdentity })
    }

    @Test func `a missing program is reported with the folders that were searched`() async throws {
        let launcher = try launcher(script: nil)
        await #expect(throws: LaunchFault.notInstalled(lookedIn: [folder.path])) {
            try await launcher.start()
        }
    }

    @Test func `a node that ends at once is reported with its own sentence, not with its log`()
        async throws
    {
        let launcher = try launcher(
            script: """
                echo 'waggle: first' >&2
                echo 'waggle: another node runs here' >&2
                echo '2026-11-27T17:40:14+0000 error waggle: why=…'
                exit 7
                """)
        let fault = try await end(of: launcher)
        #expect(fault == .ended(.fault("another node runs here")))
        #expect(fault?.description == "Waggle ended at once: another node runs here")
    }

    @Test func `the node gets its home and its own session`() async throws {
        let launcher = try launcher(
            script: #"echo "waggle: $@" $(($(cut -d' ' -f6 /proc/$$/stat) - $$)); exit 1"#)
        let fault = try await end(of: launcher)
        #expect(fault == .ended(.fault("node --home \(folder.path) 0")))
    }

    @Test func `a node that is killed is not reported with the fault of an earlier run`()
        async throws
    {
        let log = folder.appendingPathComponent("node.log")
        try Data("waggle: an earlier fault\n".utf8).write(to: log)
        let launcher = try launcher(script: "echo a log line; kill -9 $$")
        #expect(try await end(of: launcher) == .ended(.signal(9)))
        #expect(
            try await end(of: self.launcher(script: "echo a log line; exit 7"))
                == .ended(.exit(code: 7)))
        #expect(try String(contentsOf: log, encoding: .utf8).contains("a log line"))
    }

    private func end(of launcher: NodeLauncher) async throws -> LaunchFault? {
        try await launcher.start()
        while true {
            do throws(LaunchFault) { try launcher.checkAlive() } catch { return error }
            await Task.yield()
        }
    }

    @Test func `a first start creates an identity and keeps its words until they are confirmed`()
        async throws
    {
        let created = CreatedIdentity(
            person: .example, device: .example, recoveryWords: ["one", "two"])
        let answer = JSONValue(encoding: created).jsonText()
        let launcher = try launcher(
            script: "[ $1 != init ] || echo '\(answer)'", hasIdentity: false)
        try await launcher.start()
        #expect(words.words == ["one", "two"])
        let mode = try FileManager.default.attributesOfItem(atPath: words.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        words.remove()
        #expect(words.words == nil && !words.isWaiting)
    }

    @Test func `an identity that cannot be created is reported in the program's words`()
        async throws
    {
        let launcher = try launcher(

            script: #"echo '{"error":{"code":"failed","message":"the disk is full"}}' >&2; exit 1"#,
            hasIdentity: false)
        await #expect(throws: LaunchFault.ended(.fault("the disk is full"))) {
            try await launcher.start()
        }
    }

    @Test func `no identity is created if there is one`() async throws {
        let launcher = try launcher(script: "[ $1 = node ]")
        try await launcher.start()
        #expect(words.words == nil)
    }
}
