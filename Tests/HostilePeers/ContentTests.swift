import ControlAPI
import Foundation
import Identity
import Links
import Node
import NodeAPI
import NodeTestSupport
import PeerLink
import PluginKit
import Records
import Replica
import TestSupport
import Testing

@testable import Sync

/// Content over real TLS: from a mate who is honest, and to and from one who is not.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ContentTests {
    private static let plugins: [any Plugin.Type] = PluginCatalogue.all + [AlbumPlugin.self]

    private func files(_ home: Home) -> [String] {
        let blobs = URL(fileURLWithPath: home.directory).appending(path: "blobs")
        let all = FileManager.default.enumerator(atPath: blobs.path)?.allObjects as? [String]
        return (all ?? []).filter { $0.utf8.count > 64 && !$0.hasPrefix("partial") }
    }

    private func partialBytes(_ home: Home) -> Int {
        let directory = home.directory + "/blobs/partial"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.reduce(0) { sum, name in
            let path = directory + "/" + name
            let size = try? FileManager.default.attributesOfItem(atPath: path)[.size]
            return sum + ((size as? NSNumber)?.intValue ?? 0)
        }
    }

    @Test func `a photo arrives when it is asked for, and goes from both when it is deleted`()
        async throws
    {
        let meeting = try await Meeting.mates(running: Self.plugins)
        let mine = AlbumPlugin.Photo(try await meeting.other.person, seed: 1)
        let theirs = AlbumPlugin.Photo(try await meeting.one.person, seed: 1)
        try await meeting.one.call(AlbumPlugin.add, mine)
        try await meeting.other.wait(for: AlbumPlugin.show, theirs) { $0.isNamed }
        try await meeting.other.wait(for: AlbumPlugin.show, theirs) { $0.isHere }
        #expect(files(meeting.one.home).count == 1)
        #expect(files(meeting.one.home) == files(meeting.other.home))
        try await meeting.one.call(AlbumPlugin.erase, mine)
        try await meeting.other.wait(for: AlbumPlugin.show, theirs) { !$0.isNamed }
        let isGone = await eventually {
            files(meeting.one.home).isEmpty && files(meeting.other.home).isEmpty
        }
        #expect(isGone)
        try await meeting.end()
    }

    @Test func `a mate gets content, and the same answer for every hash that is not theirs`()
        async throws
    {
        let mate = try await HostileMate.capture(running: Self.plugins)
        let person = Key(mate.identity.person.person)
        let photo = AlbumPlugin.Photo(person, seed: 2, bytes: 100_000)
        try await mate.victim.call(AlbumPlugin.add, photo)
        let hash = BlobHash(of: photo.content)
        let peer = try await mate.link()
        func want(_ channel: UInt64, _ hash: BlobHash, _ offset: Int) -> ContentRequest {
            ContentRequest(channel: channel, hash: hash, offset: offset)
        }
        let unknown = BlobHash(of: [1, 2, 3])
        let requests = [
            want(0, hash, 0), want(0, hash, Limits.blobPieceBytes), want(0, unknown, 0),
            want(0, hash, 100_000), want(1, hash, 0), want(1, unknown, 0), want(9, hash, 0),
            want(9, unknown, 0),
        ]
        let answers = try await answers(to: requests, from: peer)
        let piece = Limits.blobPieceBytes
        #expect(
            answers[0]
                == .piece(
                    ContentPiece(request: requests[0], bytes: Array(photo.content[..<piece]))))
        #expect(
            answers[1]
                == .piece(
                    ContentPiece(request: requests[1], bytes: Array(photo.content[piece...]))))
        for index in 2..<requests.count { #expect(answers[index] == .lacking(requests[index])) }
        peer.close()
        try await mate.end()
    }

    @Test func `a stranger who knows the hash gets what a wrong hash gets`() async throws {
        let mate = try await HostileMate.capture(running: Self.plugins)
        let photo = AlbumPlugin.Photo(
            Key(mate.identity.person.person), seed: 3, bytes: 1000)
        try await mate.victim.call(AlbumPlugin.add, photo)
        let (key, person) = try HostilePeer.stranger()
        for hash in [BlobHash(of: photo.content), BlobHash(of: [9])] {
            let peer = try await HostilePeer.dial(mate.victim.port, as: key, person)
            try await peer.announce([mate.pair.id])
            let request = ContentRequest(channel: 0, hash: hash, offset: 0)
            #expect(try await answers(to: [request], from: peer) == [.lacking(request)])
            peer.close()
            // The node does not keep two links with one device, and might keep the old one.
            try await mate.victim.wait(for: NodeCommands.status) { $0.links.isEmpty }
        }
        try await mate.end()
    }

    @Test func `a flood of requests ends the link, and the node goes on`() async throws {
        let mate = try await HostileMate.capture(running: Self.plugins)
        let peer = try await mate.link()
        let unknown = ContentRequest(channel: 0, hash: BlobHash(of: [1]), offset: 0)
        // Others are answered while these wait, so it takes many at once.
        let frame = Frame(
            type: Message.want(unknown).type,
            payload: Message.want(unknown).payload(sender: peer.key.id))
        try? await peer.link.send([Frame](repeating: frame, count: 20_000))
        // A socket that is closed while frames wait in it is reset, so the BYE may be lost.
        _ = await peer.messages { $0 == .bye(.fault) }
        try await mate.victim.wait(for: NodeCommands.status) { $0.links.isEmpty }
        try await mate.end()
    }

    @Test func `a link of an older version neither asks for content nor may`() async throws {
        let mate = try await HostileMate.capture(running: Self.plugins)
        let peer = try await HostilePeer.dial(
            mate.victim.port, as: mate.identity.key, mate.identity.person, versions: 1...2)
        try await peer.announce([mate.pair.id])
        try await peer.send(
            .want(ContentRequest(channel: 0, hash: BlobHash(of: [1]), offset: 0)))
        let messages = await peer.messages { $0 == .bye(.fault) }
        #expect(messages.last == .bye(.fault))
        try await mate.end()
    }

    @Test func `content that nobody asked for ends the link`() async throws {
        let mate = try await HostileMate.capture(running: Self.plugins)
        for isPiece in [true, false] {
            let peer = try await mate.link()
            let request = ContentRequest(channel: 0, hash: BlobHash(of: [1]), offset: 0)
            try await peer.send(
                isPiece ? .piece(ContentPiece(request: request, bytes: [1])) : .lacking(request))
            let messages = await peer.messages { $0 == .bye(.fault) }
            #expect(messages.last == .bye(.fault))
            peer.close()
            // The node does not keep two links with one device, and might keep the old one.
            try await mate.victim.wait(for: NodeCommands.status) { $0.links.isEmpty }
        }
        try await mate.end()
    }

    /// The misbehaviours of a mate who is asked for content.
    enum Lie: String, CaseIterable {
        case wrongBytes, oneByte, oneByteLess, lacking
    }

    @Test(arguments: Lie.allCases)
    func `wrong content is shown to nobody, and the link stays`(lie: Lie) async throws {
        let mate = try await HostileMate.capture(running: Self.plugins)
        let peer = try await mate.link()
        let photo = AlbumPlugin.Photo(
            Key(mate.identity.person.person), seed: 4, bytes: 3 * Limits.blobPieceBytes)
        try await offer(photo, by: mate, over: peer)
        let shown = try await mate.victim.wait(for: AlbumPlugin.show, photo) { $0.isNamed }
        #expect(!shown.isHere)
        for _ in 0..<3 {
            let message = await next(from: peer)
            guard case .want(let request) = message else { break }
            try await peer.send(lie.answer(to: request, photo))
            if lie != .wrongBytes { break }
        }
        let answers = try await peer.answers(to: [])
        #expect(!answers.contains(.bye(.fault)))
        let later = try await mate.victim.call(AlbumPlugin.show, photo)
        #expect(!later.isHere)
        #expect(files(mate.victim.home).isEmpty)
        peer.close()
        try await mate.end()
    }

    @Test func `a link that is cut half-way goes on there, and no byte comes twice`()
        async throws
    {
        let mate = try await HostileMate.capture(running: Self.plugins)
        let first = try await mate.link()
        let photo = AlbumPlugin.Photo(
            Key(mate.identity.person.person), seed: 5, bytes: 16 * Limits.blobPieceBytes)
        try await offer(photo, by: mate, over: first)
        try await mate.victim.wait(for: AlbumPlugin.show, photo) { $0.isNamed }
        var offsets: [Int] = []
        for _ in 0..<8 {
            guard case .want(let request) = await next(from: first) else { break }
            try await first.send(photo.piece(request))
            offsets.append(request.offset)
        }
        let half = 8 * Limits.blobPieceBytes
        let isHalf = await eventually { partialBytes(mate.victim.home) == half }
        #expect(isHalf)
        first.close()
        let second = try await mate.link(startCount: 1_000_001)
        while offsets.count < 16, case .want(let request) = await next(from: second) {
            try await second.send(photo.piece(request))
            offsets.append(request.offset)
        }
        #expect(offsets == (0..<16).map { $0 * Limits.blobPieceBytes })
        try await mate.victim.wait(for: AlbumPlugin.show, photo) { $0.isHere }
        second.close()
        try await mate.end()
    }

    // MARK: - The peer's side

    /// Pushes a record that names a photo.
    private func offer(
        _ photo: AlbumPlugin.Photo, by mate: HostileMate, over peer: HostilePeer
    ) async throws {
        guard let blob = Blob(of: photo.content, kind: "image/jpeg") else {
            throw CommandFault.failed("the content is valid")
        }
        let collection = CollectionID(name: "album.photo/1")
        let entity = Operation.entity(
            in: mate.pair.id, of: collection, by: mate.me, nonce: .zero)
        let operations = [Operation.Action.create(nonce: .zero), .set(field: 1, blob.value)].map {
            Operation(collection: collection, entity: entity, action: $0)
        }
        try await peer.send(.push(Push(channel: 0, run: try mate.run(operations))))
    }

    /// Returns the next message about content.
    private func next(from peer: HostilePeer) async -> Message? {
        await peer.messages { $0.isAboutContent }.last.flatMap { $0.isAboutContent ? $0 : nil }
    }

    private func answers(
        to requests: [ContentRequest], from peer: HostilePeer
    ) async throws -> [Message] {
        var answers: [Message] = []
        for request in requests {
            try await peer.send(.want(request))
            if let answer = await next(from: peer) { answers.append(answer) }
        }
        return answers
    }
}

extension Message {
    fileprivate var isAboutContent: Bool {
        switch self {
        case .want, .piece, .lacking: true
        default: false
        }
    }
}

extension AlbumPlugin.Photo {
    /// Returns the honest answer to a request.
    fileprivate func piece(_ request: ContentRequest) -> Message {
        let end = min(bytes.value, request.offset + Limits.blobPieceBytes)
        return .piece(
            ContentPiece(request: request, bytes: Array(content[request.offset..<end])))
    }
}

extension ContentTests.Lie {
    /// Returns an answer that is not honest.
    fileprivate func answer(to request: ContentRequest, _ photo: AlbumPlugin.Photo) -> Message {
        let count = Limits.blobPieceBytes
        switch self {
        case .wrongBytes:
            return .piece(
                ContentPiece(request: request, bytes: [UInt8](repeating: 0, count: count)))
        case .oneByte: return .piece(ContentPiece(request: request, bytes: [1]))
        case .oneByteLess:
            return .piece(
                ContentPiece(request: request, bytes: [UInt8](repeating: 0, count: count - 1)))
        case .lacking: return .lacking(request)
        }
    }
}
