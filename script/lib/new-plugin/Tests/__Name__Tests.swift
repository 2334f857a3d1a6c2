import PluginKit
import TestSupport
import Testing
import __Name__API

@testable import __Name__

@Suite struct __Name__Tests {
    @Test func `an entry that is added is listed`() async throws {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [__Name__.self])
            let entry = try await host.call(__Name__Commands.add, .init(text: Text("Hello")))
            #expect(try await host.call(__Name__Commands.list).entries == [entry])
        }
    }

    @Test func `every command answers as it declares, and no member is left out`() async throws {
        try await TestNetwork.with { network in
            let record = AnswerRecord(of: __Name__.commands.map(\.declaration))
            let host = record.recording(try await network.host(seed: 1, [__Name__.self]))
            try await host.call(__Name__Commands.add, .init(text: Text("Hello")))
            try await host.call(__Name__Commands.list)
            #expect(record.missingRoutes.isEmpty && record.unseenMembers.isEmpty)
        }
    }

    @Test func `a text of 100 characters is accepted and of 101 refused`() async throws {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [__Name__.self])
            let text = String(repeating: "x", count: 100)
            try await host.call(__Name__Commands.add, .init(text: Text(text)))
            await #expect(throws: CommandFault.self) {
                // No request can hold this text, so it is the raw value.
                try await host.answer(
                    to: __Name__Commands.add.declaration, ["text": .string(text + "x")])
            }
        }
    }
}
