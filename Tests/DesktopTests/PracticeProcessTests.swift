import Foundation
import PanelKit
import TestSupport
import Testing

@testable import Desktop

/// The practice mate's process, with scripts in its place.
@MainActor
struct PracticeProcessTests {
    private let folder: String

    init() throws {
        folder = try TestDirectory.make("practice")
    }

    private func process(script: String, isWanted: Bool = false) throws -> PracticeProcess {
        let program = folder + "/waggle"
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        return PracticeProcess(
            home: "/tmp/h", folders: [folder], practiceFolder: folder + "/practice",
            logPath: folder + "/practice.log", isWanted: isWanted)
    }

    /// Waits until the process is in a state that passes the test.
    private func wait(
        _ process: PracticeProcess, until isReached: @escaping (PracticeProcess.State) -> Bool
    ) async {
        guard !isReached(process.state) else { return }
        await withCheckedContinuation { waiter in
            process.onChange = { [weak process] in
                guard let process, isReached(process.state) else { return }
                process.onChange = {}
                waiter.resume()
            }
        }
    }

    @Test func `it ends when its standard input is closed`() async throws {
        let process = try process(script: "cat >/dev/null")
        process.start()
        #expect(process.state == .on && process.offer.action?.title == "Stop practising")
        process.stop()
        #expect(process.state == .ending && process.offer.action == nil)
        await wait(process) { $0 == .off }
        #expect(process.offer.action?.title == "Try with a practice mate")
        #expect(!FileManager.default.fileExists(atPath: folder + "/practice.log"))
    }

    @Test func `a process that ends by itself shows its error, and its log is a file`() async throws
    {
        let process = try process(
            script: "echo 'error practice: why=…' >&2; echo 'waggle: no room' >&2; exit 3")
        process.start()
        await wait(process) { $0 != .on }
        #expect(process.state == .failed("no room"))
        let log = try String(contentsOfFile: folder + "/practice.log", encoding: .utf8)
        #expect(log == "error practice: why=…\nwaggle: no room\n")
        #expect(process.offer.isOn && process.offer.action != nil)
    }

    @Test(arguments: [
        ("exit 3", "exit code 3"),
        ("kill -9 $$", "the system or another program ended it (signal 9)"),
        ("kill -SEGV $$", "it crashed (signal 11)"),
    ])
    func `a process without a sentence shows its exit code or signal, not its log`(
        end: String, reason: String
    ) async throws {
        let process = try process(
            script: "echo '2026-11-27T17:40:14+0000 error practice: why=…' >&2; \(end)")
        process.start()
        await wait(process) { $0 != .on }
        #expect(process.state == .failed(reason))
    }

    @Test func `a mate that a crash left behind is ended once the node answers`() async throws {
        let process = try process(script: "cat >/dev/null")
        process.nodeIsLive()
        #expect(process.state == .off)
        try FileManager.default.createDirectory(
            atPath: folder + "/practice", withIntermediateDirectories: false)
        process.nodeIsLive()
        #expect(process.state == .ending)
        await wait(process) { $0 == .off }
    }

    @Test func `a practice that is wanted from the beginning starts with the node`() async throws {
        let process = try process(script: "cat >/dev/null", isWanted: true)
        process.nodeIsLive()
        #expect(process.state == .on)
        process.stop()
        await wait(process) { $0 == .off }
    }
}
