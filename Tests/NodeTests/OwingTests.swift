import PluginKit
import Records
import TestSupport
import Testing

@testable import Identity
@testable import Node
@testable import Sync

/// Messages that wait for their person's allowances.
@Suite struct OwingTests {
    /// Messages with records of unknown people, each with as many as one message may have.
    private func messages(_ count: Int) throws -> [Message] {
        let claims = try (0..<Limits.identityPersonsMax).map { _ in
            try ActiveLink.silent(id: 9).hello.person
        }
        return Array(repeating: .identity(claims), count: count)
    }

    @Test func `a person who owes more than three seconds keeps no more than a mebibyte`()
        async throws
    {
        try await ClockedNode.with { clocked in
            let group = try await clocked.group(of: [])
            let peer = try await clocked.link(sharing: [group])
            let device = peer.peer.device
            let messages = try messages(40)
            #expect(messages.reduce(0) { $0 + $1.memoryBytes } > ActiveLink.owingBytesMax)
            try await clocked.receive(messages, whileTimePassesFor: peer)
            #expect(await clocked.node.links[device]?.trouble != nil)
            #expect(clocked.node.inboxRoom.bytes(of: peer.peer.person) == 0)
            #expect(clocked.clock.uptime < .seconds(20))
        }
    }

    @Test func `a person whose messages take little memory may wait longer`() async throws {
        try await ClockedNode.with { clocked in
            let group = try await clocked.group(of: [])
            let peer = try await clocked.link(sharing: [group])
            let device = peer.peer.device
            try await clocked.receive(try messages(2), whileTimePassesFor: peer)
            let active = await clocked.node.links[device]
            #expect(active?.trouble == nil)
            #expect((active?.owed ?? .zero) > ActiveLink.owedMax)
        }
    }
}

extension ClockedNode {
    /// Lets the node handle messages that came together. Its clock goes on while it waits for an
    /// allowance, so that the speed of the machine decides nothing.
    fileprivate func receive(
        _ messages: [Message], whileTimePassesFor peer: ActiveLink
    ) async throws {
        let others = clock.sleepingCount
        let moving = Task {
            while !Task.isCancelled {
                if clock.sleepingCount > others { clock.advance(by: .milliseconds(100)) }
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        defer { moving.cancel() }
        try await receive(messages, over: peer)
    }
}
