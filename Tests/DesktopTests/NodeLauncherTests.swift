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

    @Test func `a node that ends at once is reported with its own last words`() async throws {
        let launcher = try launcher(script: "echo first; echo another node runs here >&2; exit 7")
        try await launcher.start()
        var fault: LaunchFault?
        while fault == nil {
            do throws(LaunchFault) { try launcher.checkAlive() } catch { fault = error }
            await Task.yield()
        }
        #expect(fault == .ended(exitCode: 7, lastWords: "another node runs here"))
        #expect(fault?.description == "another node runs here")
    }

    @Test func `the node gets its home and its own session`() async throws {
        let launcher = try launcher(
            script: #"echo "$@" $(($(cut -d' ' -f6 /proc/$$/stat) - $$)); exit 1"#)
        try await launcher.start()
        var fault: LaunchFault?
        while fault == nil {
            do throws(LaunchFault) { try launcher.checkAlive() } catch { fault = error }
            await Task.yield()
        }
        #expect(fault == .ended(exitCode: 1, lastWords: "node --home \(folder.path) 0"))
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
            script: "echo the disk is full >&2; exit 1", hasIdentity: false)
        await #expect(throws: LaunchFault.ended(exitCode: 1, lastWords: "the disk is full")) {
            try await launcher.start()
        }
    }

    @Test func `no identity is created if there is one`() async throws {
        let launcher = try launcher(script: "[ $1 = node ]")
        try await launcher.start()
        #expect(words.words == nil)
    }
}
