import ControlAPI
import Daemon
import Foundation
import Identity
import Links
import Logging
import NodeTestSupport
import PluginHost
import PluginKit
import Records
import Replica
import TestSupport
import Testing

@testable import Node
@testable import Sync

/// A person record that gives batches another author is announced like any commit.
@Suite struct AttributionTests {
    /// Two people who founded themselves on one device; the first has the lower id.
    private let both: [PersonRecord]
    private let shared = DeviceKey()

    init() throws {
        var generator = SystemRandomNumberGenerator()
        let key = shared
        both = try (0..<2).map { _ in
            let recovery = RecoveryWords(using: &generator).key
            return try PersonRecord(
                founding: FoundingRecord(firstDevice: key.id, recoveryKey: recovery.publicKey),
                firstDevice: key)
        }.sorted { $0.person < $1.person }
    }

    /// Runs a test with a node whose plugin has records in groups.
    private func withNode(_ body: (Node) async throws -> Void) async throws {
        var logger = Logger(label: "node")
        logger.logLevel = .critical
        let home = try RunningNode.founded()
        defer { try? FileManager.default.removeItem(atPath: home.directory) }
        let identity = try NodeIdentity.load(from: home)
        let settings = try NodeSettings(home: home, usesAvahi: false)
        let (_, stopRequest) = AsyncStream.makeStream(of: Never.self)
        let real = try Surroundings.real(of: identity.key, settings, logger)
        let node = try Node(
            settings: settings, identity: identity, plugins: [GroupNotes.self],
            surroundings: Surroundings(
                transport: real.transport, discovery: nil, clock: VirtualClock(),
                random: SystemRandom(), receiver: real.receiver, photos: DrawnPhotos(),
                logger: logger),
            stopRequest: stopRequest)
        try await node.prepare(port: 0)
        let hearing = Task { await node.host.run() }
        defer { hearing.cancel() }
        try await body(node)
        hearing.cancel()
        await hearing.value
        try await node.replica.close()
    }

    @Test func `sessions and plugins hear of batches that count for another person`()
        async throws
    {
        try await withNode { node in
            let group = SpaceDescriptor.group(owner: node.me, nonce: .zero)
            let (replica, time) = await (node.replica, node.clock.wallTime)
            try await replica.open(group)
            let (lower, higher) = (both[0].person, both[1].person)
            // The person with the lower id was removed before they wrote anything.
            try await replica.control(
                [.grant(lower, .writer), .grant(higher, .writer)], in: group.id, wallTime: time)
            try await replica.control([.cut(lower)], in: group.id, wallTime: time)
            try await node.learn([ClaimedPersonRecord(both[1])])
            let note = Operation.create(in: group.id, of: GroupNotes.note.id, by: shared)
            let run = try Run.first(
                [.accept, note], by: shared, in: group.id, at: time + .milliseconds(5))
            let outcome = try await replica.merge([(group.id, run)], wallTime: time)
            #expect(outcome.faults.isEmpty)

            let peer = try await node.addLink(inSyncIn: group.id)
            #expect(await node.links[peer]?.session.isInSync(group.id) == true)
            try await node.learn([ClaimedPersonRecord(both[0])])
            #expect(await node.links[peer]?.session.isInSync(group.id) == false)
            let members = await replica.members(in: group.id)
            #expect(members.first { $0.person == higher }?.state == .invited)
            #expect(Set(try await node.news(count: 2)) == ["notes 1", "members"])
        }
    }
}

extension Node {
    /// Registers a link with a new peer that has the same batches of a space.
    fileprivate func addLink(inSyncIn space: SpaceID) async throws -> DeviceID {
        let (key, random) = (DeviceKey(), surroundings.random)
        var generator = SystemRandomNumberGenerator()
        let record = try PersonRecord(
            founding: FoundingRecord(
                firstDevice: key.id, recoveryKey: RecoveryWords(using: &generator).key.publicKey),
            firstDevice: key)
        let hello = Hello(
            bootID: random.nonce(), startCount: 1, replicaEpoch: random.nonce(),
            nonce: random.nonce(), wallTime: .min, port: 9,
            person: ClaimedPersonRecord(record))
        let nonce = random.nonce()
        var session = SyncSession(localNonce: nonce, remoteNonce: hello.nonce)
        let here = try #require(await shared(space))
        _ = session.share([here])
        let token = Token(space, sender: hello.nonce, receiver: nonce)
        _ = try session.receive(
            .have(Have(round: .announcement, entries: [.init(token: token, digest: here.digest)])))
        links[key.id] = ActiveLink(
            id: links.newID(), link: QuietLink(ownDevice: device, remoteDevice: key.id),
            peer: Peer(device: key.id, person: record.person), hello: hello,
            listing: record,
            boot: Boot(id: hello.bootID, startCount: 1), outbox: Outbox(), since: .min,
            clockOffset: .zero, targetKey: nil, session: session)
        return key.id
    }

    /// Returns what the plugin heard first.
    fileprivate func news(count: Int) async throws -> [String] {
        let request = GroupNotes.FirstNews(count: try Whole(count))
        let answer = try await host.perform(GroupNotes.news.declaration, Arguments(request))
        return try #require(answer).decoded(as: GroupNotes.News.self).sentences
    }
}

/// A link over which nothing is sent.
private struct QuietLink: DeviceLink {
    let ownDevice: DeviceID
    let remoteDevice: DeviceID
    let isDialled = false
    let remoteAddress: LinkAddress? = nil
    let frames = AsyncStream<Frame> { $0.finish() }
    var closed: LinkFault { get async { .closed } }

    func send(_ frame: Frame) async throws(LinkFault) {}
    func helloAccepted(isKnown: Bool) {}
    func close(because fault: LinkFault) {}
}

/// A plugin with records in groups that keeps what it hears, in order.
private struct GroupNotes: Plugin {
    static let note = RecordCollection(
        "attributed.note/1", table: "attributed_note", spaces: [.group],
        fields: [.init(1, "text", .text(bytesMax: 10))])
    static let manifest = Manifest(
        id: "attributed", version: 1, collections: [note], services: [.groups])

    static let news = Command<FirstNews, News>(
        .query, "attributed", "news", help: "The first things that were heard.")

    struct FirstNews: CommandRequest {
        var count: Whole<1, 9>
        static let help = ["count": "How many."]
    }

    struct News: Codable, Sendable { var sentences: [String] }

    static let commands: [CommandHandler] = [
        handle(news) { plugin, request in
            var heard: [String] = []
            for await news in plugin.news {
                heard.append(news)
                if heard.count >= request.count.value { break }
            }
            return News(sentences: heard)
        }
    ]

    private let news: AsyncStream<String>
    private let hearing: AsyncStream<String>.Continuation

    init(context: PluginContext) { (news, hearing) = AsyncStream.makeStream() }

    func applied(_ changes: [RecordChange]) async throws {
        hearing.yield("notes \(changes.count)")
    }

    func membersChanged(in group: SpaceDescriptor) async throws { hearing.yield("members") }
}
