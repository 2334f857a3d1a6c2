import Foundation
import Contract
import Testing

@testable import ControlAPI

struct HomeLockTests {
    @Test func `a second node on one home is a conflict that names the first`() throws {
        let home = Home(NSTemporaryDirectory() + "waggle-lock-" + UUID().uuidString)
        try home.prepare()
        defer { try? FileManager.default.removeItem(atPath: home.directory) }
        let lock = try HomeLock(home)
        do {
            _ = try HomeLock(home)
            Issue.record("the second lock was given")
        } catch {
            #expect(error.exitCode == 7)
            #expect(error.sentence.contains("process \(ProcessInfo.processInfo.processIdentifier)"))
        }
        withExtendedLifetime(lock) {}
    }

    @Test func `a lock that was released can be acquired again`() throws {
        let home = Home(NSTemporaryDirectory() + "waggle-lock-" + UUID().uuidString)
        try home.prepare()
        defer { try? FileManager.default.removeItem(atPath: home.directory) }
        for _ in 0..<3 { _ = try HomeLock(home) }
    }

    @Test func `a home that does not exist cannot be locked`() {
        #expect(throws: CommandFault.self) { try HomeLock(Home("/nowhere/at/all")) }
    }
}
