import ControlAPI
import ControlClient
import Foundation
import Glibc
import PluginKit
import Testing

@testable import Daemon

struct LocalAPISocketTests {
    private func start(_ fixture: LocalAPIFixture) async -> CommandFault? {
        do {
            try await fixture.server { Issue.record("it listens") }.run()
            return nil
        } catch {
            return CommandFault(error)
        }
    }

    @Test func `only the owner may connect, and the file goes with the server`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { _ in
            let attributes = try FileManager.default.attributesOfItem(atPath: fixture.socketPath)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
        #expect(!FileManager.default.fileExists(atPath: fixture.socketPath))
    }

    @Test func `another user's connection is closed before a byte is read`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving(user: getuid() + 1) { _ in
            #expect(await fixture.request("GET", "/v1/dog/list") == "")
        }
    }

    @Test func `a socket file without a live server is replaced`() async throws {
        let fixture = try LocalAPIFixture()
        do { _ = try #require(RawSocket(listeningOn: fixture.socketPath)) }
        #expect(FileManager.default.fileExists(atPath: fixture.socketPath))
        try await fixture.serving { client in try await client.addDog("Rex") }
    }

    @Test func `a socket with a live server is a conflict and is left alone`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { client in
            let fault = await start(fixture)
            #expect(fault?.exitCode == 7)
            #expect(fault?.sentence.contains(fixture.socketPath) == true)
            try await client.addDog("Rex")
        }
    }

    @Test func `a file that is not a socket is left alone`() async throws {
        let fixture = try LocalAPIFixture()
        let file = URL(fileURLWithPath: fixture.socketPath)
        try Data("mine".utf8).write(to: file)
        let fault = await start(fixture)
        #expect(fault?.exitCode == 1)
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
        try FileManager.default.removeItem(atPath: fixture.directory)
    }

    @Test func `bytes that are not HTTP end only their connection`() async throws {
        let fixture = try LocalAPIFixture()
        try await fixture.serving { client in
            let answer = await fixture.exchange("\u{0}\u{1}nonsense\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400"))
            try await client.addDog("Rex")
        }
    }
}
