import FeaturesAPI
import Features
import PluginKit
import Records
import TestSupport
import Testing

@testable import Node
@testable import Replica
@testable import Sync

/// To whom joined neighbourhoods are named, and what that changes.
@Suite struct NeighbourhoodNamingTests {
    private static let seongsu = SpaceDescriptor.open(name: "seongsu")

    private func joined(_ clocked: ClockedNode) async throws {
        _ = try await clocked.node.author(
            [
                .create(
                    collection: "neighbours.neighbourhood/1", nonce: SystemRandom().nonce(),
                    fields: ["name": .text("Seongsu"), "at_ms": .integer(1)])
            ], in: .own(clocked.node.me))
        #expect(await clocked.node.neighbourhoods.ids == [Self.seongsu.id])
    }

    /// Links a peer of a version and returns the messages that it is sent at first.
    private func messages(
        to version: UInt8, blocked: Bool = false, on clocked: ClockedNode
    ) async throws -> (link: ActiveLink, sent: [Message]) {
        let active = try ActiveLink.silent(id: 1, on: clocked.node.device, versions: 1...version)
        if blocked { await clocked.node.block(active.peer.person) }
        await clocked.node.begin(active)
        active.outbox.finish()
        var sent: [Message] = []
        while let item = await active.outbox.next() {
            if case .message(let message) = item { sent.append(message) }
        }
        return (active, sent)
    }

    private func namedTokens(in messages: [Message]) -> [Token] {
        messages.flatMap { message -> [Token] in
            if case .have(let have) = message { have.entries.map(\.token) } else { [] }
        }
    }

    @Test func `a stranger of version 6 is told a hash of the name, and nothing else`()
        async throws
    {
        try await ClockedNode.with(plugins: [CoreFeatures.self]) { clocked in
            try await joined(clocked)
            let (active, sent) = try await messages(to: 6, on: clocked)
            let session = active.session
            #expect(sent.count == 1)
            #expect(
                namedTokens(in: sent) == [
                    Token(
                        Self.seongsu.id, sender: session.localNonce, receiver: session.remoteNonce)
                ])
        }
    }

    @Test func `a peer of version 5 and a blocked person are told nothing`() async throws {
        try await ClockedNode.with(plugins: [CoreFeatures.self]) { clocked in
            try await joined(clocked)
            #expect(try await messages(to: 5, on: clocked).sent.isEmpty)
        }
        try await ClockedNode.with(plugins: [CoreFeatures.self]) { clocked in
            try await joined(clocked)
            #expect(try await messages(to: 6, blocked: true, on: clocked).sent.isEmpty)
        }
    }

    @Test func `a stranger who joined the same stays one: no record is told, none is stored`()
        async throws
    {
        try await ClockedNode.with(plugins: [CoreFeatures.self]) { clocked in
            try await joined(clocked)
            let active = try ActiveLink.silent(id: 1, on: clocked.node.device, versions: 1...6)
            await clocked.node.begin(active)
            let commits = clocked.commits.value
            let entry = Have.Entry(
                token: active.session.remoteToken(of: Self.seongsu.id), digest: .zero)
            try await clocked.receive(
                [
                    .have(Have(round: .announcement, entries: [entry])),
                    .identity([active.hello.person]),
                ], over: active)
            #expect(clocked.commits.value == commits)
            #expect(await !clocked.node.isKnown(active.peer.person))
            #expect(await clocked.node.links[active.peer.device]?.owesRecord == true)
            let session = try #require(await clocked.node.links[active.peer.device]?.session)
            #expect(session.sharedSpaces.isEmpty && !session.isAnySpaceProven)
            active.outbox.finish()
            var kinds: [UInt8] = []
            while let item = await active.outbox.next() {
                if case .message(let message) = item { kinds.append(message.type) }
            }
            // HAVE names the space, and ASK reads the first page of the peer's offer.
            #expect(kinds == [Message.have(Have(round: .answer, entries: [])).type, 30])
        }
    }

    @Test func `a piece that nobody asked for is dropped and counted`() async throws {
        try await ClockedNode.with(plugins: [CoreFeatures.self]) { clocked in
            try await joined(clocked)
            let active = try ActiveLink.silent(id: 1, on: clocked.node.device, versions: 1...6)
            await clocked.node.begin(active)
            let token = active.session.remoteToken(of: Self.seongsu.id)
            let run = try await clocked.node.foreignRun(in: Self.seongsu)
            let commits = clocked.commits.value
            let passed = Message.passed(
                Passed(channel: 0, record: nil, previous: .none, run: run))
            try await clocked.receive(
                [.have(Have(round: .announcement, entries: [.init(token: token, digest: .zero)]))]
                    + Array(repeating: passed, count: ActiveLink.faultsMax - 1), over: active)
            #expect(clocked.commits.value == commits)
            let link = try #require(await clocked.node.links[active.peer.device])
            #expect(link.faultsCount == ActiveLink.faultsMax - 1 && link.trouble == nil)
            try await clocked.receive([passed], over: active)
            #expect(await clocked.node.links[active.peer.device]?.trouble != nil)
        }
    }
}

extension Node {
    /// Registers a link and names what it shares, as after both HELLOs.
    func begin(_ active: ActiveLink) async {
        links[active.peer.device] = active
        links[active.peer.device]?.owesRecord = true
        await shareSpaces(with: active.peer.device)
    }

    fileprivate func block(_ person: PersonID) { relations.blocked.insert(person) }

    /// Returns a run of one batch that this device wrote, as any run that was not asked for.
    fileprivate func foreignRun(in space: SpaceDescriptor) async throws -> Run {
        let log = LogName(device: device, branch: .main)
        let own = SpaceDescriptor.own(me)
        return try #require(try await replica.runs(in: own.id, log: log, after: 0, bytesMax: 4096))
    }
}
