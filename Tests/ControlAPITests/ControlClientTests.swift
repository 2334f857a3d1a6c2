import ControlClient
import Foundation
import Contract
import Testing

@testable import ControlAPI

struct ControlClientTests {
    private func withClient(
        _ path: String, _ body: (ControlClient) async throws -> Void
    ) async throws {
        let client = ControlClient(socketPath: path)
        do {
            try await body(client)
        } catch {
            Issue.record(error)
        }
        try await client.shutdown()
    }

    @Test func `without a socket the error says how to start a node`() async throws {
        try await withClient("/tmp/waggle-nobody-\(UUID().uuidString).sock") { client in
            let nothing = try Arguments(checking: [:], against: SampleCommands.list)
            do throws(CommandFault) {
                _ = try await client.perform(SampleCommands.list, nothing)
                Issue.record("somebody answered")
            } catch {
                #expect(error.exitCode == 3)
                #expect(error.sentence.contains("waggle node"))
            }
        }
    }

    @Test func `a user interface learns that the node is unreachable`() async throws {
        try await withClient("/tmp/waggle-nobody-\(UUID().uuidString).sock") { client in
            let nothing = try Arguments(checking: [:], against: SampleCommands.list)
            await #expect(throws: NodeUnreachable.self) {
                try await client.answer(to: SampleCommands.list, nothing)
            }
            await #expect(throws: NodeUnreachable.self) {
                for try await _ in client.events() {}
            }
        }
    }

    @Test func `an error is decoded from its envelope`() {
        let fault = CommandFault.usage("too long", field: "nickname")
        #expect(CommandFault(envelope: fault.envelope) == fault)
        #expect(
            fault.envelope.jsonText()
                == #"{"error":{"code":"usage","field":"nickname","message":"too long","#
                + #""template":"too long"}}"#)
        #expect(CommandFault(envelope: ["error": "no"]) == nil)
    }
}
