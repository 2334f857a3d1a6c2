import Features
import FeaturesAPI
import Foundation
import Identity
import NodeAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Node
@testable import Replica
@testable import Sync

/// The storing of a stranger's log, as peers pass it on, and what `status` says of it.
@Suite struct NeighbourhoodAllowanceTests {
    private static let seongsu = SpaceDescriptor.open(name: "seongsu")

    /// A stranger's device, whose posts some peer passes on.
    private struct Author {
        let replica: Replica
        let key: DeviceKey
        let record: PersonRecord
        let directory: String

        init() async throws {
            directory = try TestDirectory.make("author")
            var generator = SystemRandomNumberGenerator()
            key = DeviceKey(using: &generator)
            let recovery = RecoveryWords(using: &generator).key
            record = try PersonRecord(
                founding: FoundingRecord(firstDevice: key.id, recoveryKey: recovery.publicKey),
                firstDevice: key)
            replica = try Replica(
                path: directory + "/replica.db", key: key,
                collections: BoardPlugin.manifest.collections, views: [], diskSpace: EndlessDisk())
            try await replica.learn(record)
            try await replica.open(seongsu)
        }

        var person: PersonID { record.person }

        func post(_ text: String, at time: Timestamp) async throws {
            _ = try await replica.author(
                [
                    .create(
                        collection: "board.post/1", nonce: SystemRandom().nonce(),
                        fields: ["text": .text(text)])
                ], in: seongsu.id, wallTime: time)
        }

        /// The messages by which a peer offers and passes everything.
        func messages() async throws -> [Message] {
            let offer = try #require(replica.offer(of: seongsu.id))
            let log = try #require(offer.logs.first).log
            let ask = LogAsk(log: log, position: .after(0, prefix: 0), bytesMax: 60_000)
            let found = try #require(try await replica.passing(ask, in: seongsu.id))
            return [
                .offer(Offer(channel: 0, digest: offer.digest, part: .lastPage, logs: offer.logs)),
                .passed(
                    Passed(
                        channel: 0,
                        record: try found.passed.record.map { try ClaimedPersonRecord($0) },
                        previous: found.passed.previous, run: found.passed.run)),
            ]
        }
    }

    /// Lets a node that joined the neighbourhood receive a stranger's posts over a link.
    private func receive(
        _ author: Author, on clocked: ClockedNode
    ) async throws -> ActiveLink {
        _ = try await clocked.node.author(
            [
                .create(
                    collection: "neighbours.neighbourhood/1", nonce: SystemRandom().nonce(),
                    fields: ["name": .text("Seongsu"), "at_ms": .integer(1)])
            ], in: .own(clocked.node.me))
        let active = try ActiveLink.silent(id: 1, on: clocked.node.device)
        await clocked.node.begin(active)
        let entry = Have.Entry(
            token: active.session.remoteToken(of: Self.seongsu.id),
            digest: try #require(author.replica.offer(of: Self.seongsu.id)).digest)
        try await clocked.receive(
            [.have(Have(round: .announcement, entries: [entry]))], over: active)
        for message in try await author.messages() {
            try await clocked.receive([message], over: active)
        }
        return active
    }

    private func texts(_ clocked: ClockedNode) async throws -> [String] {
        try await clocked.node.replica.read(
            "SELECT text FROM board_post ORDER BY text", [], allowedTables: nil
        ).compactMap { $0.text("text") }
    }

    @Test func `a stranger's post is stored with their record, and they stay a stranger`()
        async throws
    {
        let author = try await Author()
        try await ClockedNode.with(plugins: [CoreFeatures.self, BoardPlugin.self]) { clocked in
            try await author.post("hello", at: clocked.clock.wallTime)
            let active = try await receive(author, on: clocked)
            #expect(try await texts(clocked) == ["hello"])
            #expect(await clocked.node.links[active.peer.device]?.faultsCount == 0)
            #expect(await !clocked.node.isKnown(author.person))
            #expect(await clocked.node.replica.isBrought(author.person))
            let status = try await clocked.node.status()
            let use = try #require(status.neighbourhoods.first)
            #expect(use.records.value == 1 && use.unknownLogs.value == 1)
            #expect(status.overAllowance.isEmpty)
        }
        try FileManager.default.removeItem(atPath: author.directory)
    }

    @Test func `a post disappears 30 days later, with its author`() async throws {
        let author = try await Author()
        try await ClockedNode.with(plugins: [CoreFeatures.self, BoardPlugin.self]) { clocked in
            try await author.post("hello", at: clocked.clock.wallTime)
            _ = try await receive(author, on: clocked)
            clocked.clock.advance(by: .seconds(30 * 24 * 3600 - 60))
            await clocked.node.pruneNeighbourhoods()
            #expect(try await texts(clocked) == ["hello"])
            clocked.clock.advance(by: OpenSpaces.pruningPause)
            await clocked.node.pruneNeighbourhoods()
            #expect(try await texts(clocked).isEmpty)
            #expect(await clocked.node.replica.personRecord(author.person) == nil)
        }
        try FileManager.default.removeItem(atPath: author.directory)
    }

    @Test func `a known person's removal of a device counts, though only a stranger passes it on`()
        async throws
    {
        let author = try await Author()
        try await ClockedNode.with(plugins: [CoreFeatures.self, BoardPlugin.self]) { clocked in
            let node = clocked.node
            // The author has a lost phone, is known from a group, and the phone is linked.
            let phone = DeviceKey()
            let entry = try DeviceEntry.adding(
                DeviceConsent(of: phone, to: author.person), by: author.key)
            let both = try author.record.adding(entry)
            _ = try await clocked.group(of: [author.person])
            try await node.replica.learn(both)
            let lost = try ActiveLink.silent(
                id: 7, on: node.device, person: author.person, key: phone)
            await node.begin(lost)
            #expect(await node.links[phone.id] != nil)
            // The removal comes with a post, over the link of a stranger.
            try await author.replica.learn(both)
            try await author.replica.learn(both.removing(phone.id, by: author.key))
            try await author.post("hello", at: clocked.clock.wallTime)
            let active = try await receive(author, on: clocked)
            #expect(try await texts(clocked) == ["hello"])
            #expect(await node.replica.personRecord(author.person)?.devices == [author.key.id])
            #expect(await !node.replica.isBrought(author.person))
            #expect(await node.links[phone.id] == nil)
            #expect(await node.links[active.peer.device] != nil)
        }
        try FileManager.default.removeItem(atPath: author.directory)
    }

    @Test func `it is known whose logs stay, and who is fetched from first, before a piece comes`()
        async throws
    {
        let author = try await Author()
        try await ClockedNode.with(plugins: [CoreFeatures.self, BoardPlugin.self]) { clocked in
            let node = clocked.node
            try await author.post("hello", at: clocked.clock.wallTime)
            #expect(await node.replica.retainedPeople == nil)
            let active = try await receive(author, on: clocked)
            #expect(await node.replica.retainedPeople?.contains(author.person) == false)
            // Their content is fetched first, and so is what comes from their devices.
            #expect(await node.openContent.seeking.isKnown(node.device))
            #expect(await !node.openContent.seeking.isKnown(active.peer.device))
            // The link has a share as soon as something came over it.
            #expect(await node.replica.linkedPeople == [active.peer.person])
            let use = await node.replica.use(
                of: Self.seongsu.id, wallTime: clocked.clock.wallTime)
            #expect(use?.bringers.keys.map(\.self) == [active.peer.person])
            await node.ended(active)
            await node.pruneNeighbourhoods()
            #expect(await node.replica.linkedPeople.isEmpty)
        }
        try FileManager.default.removeItem(atPath: author.directory)
    }

    @Test func `a log over its allowance is named by status, and nothing of it is a fault`()
        async throws
    {
        let author = try await Author()
        try await ClockedNode.with(plugins: [CoreFeatures.self, BoardPlugin.self]) { clocked in
            // A clock that is three days ahead: the days up to today have no room for it.
            try await author.post("later", at: clocked.clock.wallTime + .seconds(3 * 24 * 3600))
            let active = try await receive(author, on: clocked)
            #expect(try await texts(clocked).isEmpty)
            #expect(await clocked.node.links[active.peer.device]?.faultsCount == 0)
            let status = try await clocked.node.status()
            let over = try #require(status.overAllowance.first)
            #expect(over.person == Key(author.person))
            #expect(over.untilMs > clocked.clock.wallTime)
        }
        try FileManager.default.removeItem(atPath: author.directory)
    }
}
