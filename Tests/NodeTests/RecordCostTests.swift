import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Identity
@testable import Node
@testable import Replica
@testable import Sync

/// Counts the work for a peer's person records: checks of signatures, transactions, and looks at
/// the members of shared spaces.
@Suite struct RecordCostTests {
    /// A person with one device, and further devices that it may add.
    private struct Somebody {
        let record: PersonRecord
        let key = DeviceKey()

        init() throws {
            var generator = SystemRandomNumberGenerator()
            let founding = FoundingRecord(
                firstDevice: key.id,
                recoveryKey: RecoveryWords(using: &generator).key.publicKey)
            record = try PersonRecord(founding: founding, firstDevice: key)
        }

        /// Returns entries of new devices.
        func entries(_ count: Int) throws -> [DeviceEntry] {
            try (0..<count).map { _ in
                try DeviceEntry.adding(
                    try DeviceConsent(of: DeviceKey(), to: record.person), by: key)
            }
        }

        /// Returns records with one further device each.
        func claims(_ count: Int) throws -> [ClaimedPersonRecord] {
            try entries(count).map { .init(try record.adding($0)) }
        }
    }

    /// The number of devices that a person's record names, besides the first.
    private func added(_ somebody: Somebody, at node: Node) async -> Int {
        (await node.replica.personRecord(somebody.record.person)?.devices.count ?? 1) - 1
    }

    @Test func `what is new in one message is stored in one transaction`() async throws {
        try await ClockedNode.with { clocked in
            let somebody = try Somebody()
            let group = try await clocked.group(of: [somebody.record.person])
            let peer = try await clocked.link(sharing: [group])
            let before = clocked.commits.value
            try await clocked.receive([.identity(try somebody.claims(12))], over: peer)
            #expect(await added(somebody, at: clocked.node) == 12)
            #expect(clocked.commits.value == before + 1)
        }
    }

    @Test func `a second's checks are made, and the rest of the records waits for the next`()
        async throws
    {
        try await ClockedNode.with { clocked in
            let (node, somebody) = (clocked.node, try Somebody())
            let group = try await clocked.group(of: [somebody.record.person])
            let peer = try await clocked.link(sharing: [group])
            let before = clocked.commits.value
            let sleeping = clocked.clock.sleepingCount
            // Each is charged 3 checks, its own signature's too, and 8 for the transaction.
            let cost = 3 + RecordAllowance.checksPerRecord
            let permitted = RecordAllowance.checksPerSecondMax / cost
            let claims = try somebody.claims(permitted + 5)
            async let receiving: Void = clocked.receive([.identity(claims)], over: peer)
            #expect(await eventually { clocked.clock.sleepingCount > sleeping })
            #expect(await added(somebody, at: node) == permitted)
            #expect(clocked.commits.value == before + 1)
            clocked.clock.advance(by: .seconds(1))
            try await receiving
            #expect(await added(somebody, at: node) == permitted + 5)
            #expect(clocked.commits.value == before + 2)
        }
    }

    @Test func `signatures are not checked on the replica's queue`() async throws {
        try await ClockedNode.with { clocked in
            let somebody = try Somebody()
            let group = try await clocked.group(of: [somebody.record.person])
            let peer = try await clocked.link(sharing: [group])
            // All but the last are right, so all are checked and nothing is stored.
            let entries = try somebody.entries(Limits.personDevicesMax)
            let full = try PersonRecord(
                founding: somebody.record.founding, firstDevice: somebody.key, entries: entries)
            var bytes = full.encoded
            bytes[bytes.count - 1] ^= 1
            let claim = try ClaimedPersonRecord(bytes)
            let checking = ProcessorTime.ofThread { _ = try? claim.news(to: nil).checked() }
            let before = clocked.queue.processorTime
            await #expect(throws: IdentityFault.self) {
                try await clocked.node.receive(
                    [claim], from: peer.peer.device, id: peer.id)
            }
            #expect((clocked.queue.processorTime - before) * 4 < checking)
        }
    }

    @Test func `an empty IDENTITY does not look at the shared spaces while a record waits`()
        async throws
    {
        try await ClockedNode.with { clocked in
            var spaces: [SpaceID] = []
            for number in 0..<8 { spaces.append(try await clocked.group(UInt8(number), of: [])) }
            let peer = try await clocked.link(sharing: spaces)
            let (node, device) = (clocked.node, peer.peer.device)
            try await clocked.receive([.identity(try Somebody().claims(1))], over: peer)
            #expect(await node.links[device]?.records.isEmpty == false)
            let before = clocked.queue.jobsCount
            for _ in 0..<100 { try await clocked.receive([.identity([])], over: peer) }
            await node.merge([], from: device)
            await node.deliver([])
            #expect(clocked.queue.jobsCount == before)
        }
    }

    @Test func `a commit that changes no membership does not look for records that wait`()
        async throws
    {
        try await ClockedNode.with { clocked in
            var spaces: [SpaceID] = []
            for number in 0..<8 { spaces.append(try await clocked.group(UInt8(number), of: [])) }
            let peer = try await clocked.link(sharing: spaces)
            let commit = Commit(
                space: spaces[0], log: LogName(device: clocked.node.device), hash: .none,
                number: 1, stamp: Stamp(clocked.clock.wallTime), changes: [],
                membershipChanged: false, created: [])
            await clocked.node.deliver([commit])
            let start = clocked.queue.jobsCount
            await clocked.node.deliver([commit])
            let jobsCount = clocked.queue.jobsCount - start
            try await clocked.receive([.identity(try Somebody().claims(1))], over: peer)
            #expect(await clocked.node.links[peer.peer.device]?.records.isEmpty == false)
            let before = clocked.queue.jobsCount
            for _ in 0..<20 { await clocked.node.deliver([commit]) }
            #expect(clocked.queue.jobsCount - before == 20 * jobsCount)
        }
    }

    @Test func `a record that waits is stored once its person is a member`() async throws {
        try await ClockedNode.with { clocked in
            let (node, somebody) = (clocked.node, try Somebody())
            let group = try await clocked.group(of: [])
            let peer = try await clocked.link(sharing: [group])
            try await clocked.receive([.identity(try somebody.claims(1))], over: peer)
            #expect(await node.replica.personRecord(somebody.record.person) == nil)
            await node.committed(
                try await node.replica.control(
                    [.grant(somebody.record.person, .writer)], in: group,
                    wallTime: clocked.clock.wallTime))
            #expect(await node.replica.personRecord(somebody.record.person) != nil)
        }
    }
}
