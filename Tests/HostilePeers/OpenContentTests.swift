import ControlAPI
import Features
import FeaturesAPI
import Foundation
import NodeAPI
import NodeTestSupport
import PluginKit
import ProximityDrop
import Records
import Synchronization
import TestSupport
import Testing

@testable import Node
@testable import Sync

/// Photos in a neighbourhood, and strangers who lie about them, over real TLS.
@Suite(.serialized, .timeLimit(.minutes(3))) struct OpenContentTests {
    private static let plugins: [any Plugin.Type] = [
        CoreFeatures.self, ProximityDrop.self, GalleryPlugin.self,
    ]
    private let space = SpaceDescriptor.open(name: "seongsu")

    private func victim() async throws -> RunningNode {
        let node = try await RunningNode.start(try RunningNode.founded(), plugins: Self.plugins)
        try await node.call(
            NeighbourhoodCommands.join, .init(name: NeighbourhoodName("seongsu"), yes: true))
        try await node.wait(for: GalleryPlugin.joined) { $0.names == ["seongsu"] }
        return node
    }

    private func files(_ node: RunningNode) -> Set<String> {
        let all = FileManager.default.enumerator(atPath: node.home.blobsDirectory)?.allObjects
        return Set(
            (all as? [String] ?? []).filter { !$0.hasPrefix("partial") }
                .compactMap { $0.split(separator: "/").last.map(String.init) }
                .filter { $0.utf8.count == 64 })
    }

    private func sought(_ content: [UInt8], bytes: Int? = nil) -> SoughtBlob {
        SoughtBlob(hash: BlobHash(of: content), bytesCount: bytes ?? content.count)
    }

    @Test func `a stranger is told of what a record names, and of nothing else`() async throws {
        let node = try await victim()
        let picture = GalleryPlugin.Picture("seongsu", seed: 1, bytes: 100_000)
        try await node.call(GalleryPlugin.add, picture)
        let stranger = try await OpenStranger(at: node.port, in: space)
        let photo = sought(picture.photo)
        let answers = try await stranger.peer.answers(to: [
            stranger.seek([photo]),
            // A wrong length, and a hash that nobody knows.
            stranger.seek([sought(picture.photo, bytes: 99_999)]),
            stranger.seek([sought([1, 2, 3])]),
            .want(ContentRequest(channel: 0, hash: photo.hash, offset: 0)),
            .want(ContentRequest(channel: 0, hash: BlobHash(of: [1, 2, 3]), offset: 0)),
            .seek(Seek(channel: 7, hops: 7, blobs: [photo])),
        ])
        let found = answers.filter { if case .found = $0 { true } else { false } }
        #expect(found.count == 1)
        guard case .found(let first)? = found.first else { return }
        #expect(first.hashes == [photo.hash])
        #expect(answers.contains(.none(channel: 7)))
        // Content comes when nothing else waits.
        let later = await stranger.peer.messages { if case .lacking = $0 { true } else { false } }
        let pieces = (answers + later).compactMap { message -> ContentPiece? in
            if case .piece(let piece) = message { piece } else { nil }
        }
        #expect(pieces.map(\.bytes) == [Array(picture.photo[..<Limits.blobPieceBytes])])
        stranger.peer.close()
        try await node.remove()
    }

    @Test func `wrong bytes are kept nowhere, and 16 times end the link`() async throws {
        let node = try await victim()
        var stranger = try await OpenStranger(at: node.port, in: space)
        let pictures = (1...20).map { GalleryPlugin.Picture("seongsu", seed: $0, bytes: 1000) }
        for picture in pictures { try stranger.write(picture) }
        var wantsCount = 0
        let liar = stranger
        let seen = try await liar.serve { message in
            switch message {
            case .seek(let seek): return [liar.found(seek)]
            case .want(let request):
                wantsCount += 1
                let bytes = [UInt8](repeating: 0, count: 8192)
                return [.piece(ContentPiece(request: request, bytes: bytes))]
            case .bye: return nil
            default: return []
            }
        }
        #expect(seen.last == .bye(.fault))
        #expect(wantsCount == ActiveLink.faultsMax)
        #expect(files(node).isEmpty)
        try await node.remove()
    }

    @Test func `a stranger who sends nothing holds up nobody else's photos`() async throws {
        let node = try await victim()
        var stranger = try await OpenStranger(at: node.port, in: space)
        for seed in 1...3 {
            try stranger.write(GalleryPlugin.Picture("seongsu", seed: seed, bytes: 1000))
        }
        let liar = stranger
        let lying = Task {
            try await liar.serve { message in
                if case .seek(let seek) = message { [liar.found(seek)] } else { [] }
            }
        }
        let honest = try await victim()
        try await honest.dial(node)
        let pictures = (100...103).map { GalleryPlugin.Picture("seongsu", seed: $0, bytes: 1000) }
        for picture in pictures { try await honest.call(GalleryPlugin.add, picture) }
        let thumbnails = Set(pictures.map { BlobHash(of: $0.thumbnail).description })
        let began = ContinuousClock.now
        #expect(await eventually { files(node).isSuperset(of: thumbnails) })
        // Each of the four may wait 5 s for the liar first, and not one after the other for long.
        #expect(ContinuousClock.now - began < .seconds(20))
        #expect(files(node) == thumbnails)
        lying.cancel()
        liar.peer.close()
        for running in [node, honest] { try await running.remove() }
    }

    @Test func `pieces that come too late do not end the row of silences`() async throws {
        let node = try await victim()
        var stranger = try await OpenStranger(at: node.port, in: space)
        let count = SeekingLimits.silencesMax + 2
        for seed in 1...count {
            try stranger.write(GalleryPlugin.Picture("seongsu", seed: seed, bytes: 1000))
        }
        let thumbnails = (1...count).map {
            GalleryPlugin.Picture("seongsu", seed: $0, bytes: 1000).thumbnail
        }
        let liar = stranger
        let wantsCount = Mutex(0)
        let lying = Task {
            var late: ContentRequest?
            try await liar.serve { message in
                switch message {
                case .seek(let seek): return [liar.found(seek)]
                case .want(let request):
                    // The one before was given up, and its answer comes now.
                    let content = thumbnails.first { BlobHash(of: $0) == late?.hash }
                    let piece = late.flatMap { late in
                        content.map { ContentPiece(request: late, bytes: $0) }
                    }
                    late = request
                    wantsCount.withLock { $0 += 1 }
                    return piece.map { [.piece($0)] } ?? []
                case .bye: return nil
                default: return []
                }
            }
        }
        #expect(await eventually(seconds: 40) { wantsCount.withLock { $0 } >= 3 })
        // The next one would be asked for after 5 to 6 s.
        try await Task.sleep(for: .seconds(9))
        #expect(wantsCount.withLock { $0 } == SeekingLimits.silencesMax)
        lying.cancel()
        liar.peer.close()
        try await node.remove()
    }

    @Test(arguments: [true, false])
    func `who ends the link instead of sending is silent, and who replaces it at once is not`(
        isEnded: Bool
    ) async throws {
        let node = try await victim()
        var stranger = try await OpenStranger(at: node.port, in: space)
        try stranger.write(GalleryPlugin.Picture("seongsu", seed: 1, bytes: 1000))
        var outcomes: [Bool] = []
        for round in 0...SeekingLimits.silencesMax {
            if isEnded, round > 0 {
                stranger.peer.close()
                // Otherwise the next link may arrive before the end of this one, and replace it.
                try await node.wait(for: NodeCommands.status) { $0.links.isEmpty }
            }
            let liar = round == 0 ? stranger : try await stranger.again(at: node.port)
            if !isEnded, round > 0 { stranger.peer.close() }
            var (questions, pongs) = (0, 0)
            let seen = try await liar.serve { message in
                switch message {
                case .seek(let seek):
                    questions += 1
                    return [liar.found(seek), .ping(nonce: 0)]
                case .want, .bye: return nil
                // It hears what is found before it answers so many times.
                case .pong:
                    pongs += 1
                    return pongs > 50 ? nil : [.ping(nonce: UInt64(pongs))]
                default: return []
                }
            }
            #expect(questions > 0)
            outcomes.append(seen.contains { if case .want = $0 { true } else { false } })
            stranger = liar
        }
        // After three times it is ignored.
        #expect(outcomes == [true, true, true, !isEnded])
        stranger.peer.close()
        try await node.remove()
    }

    @Test func `a wrong length in a stranger's record does not keep a thumbnail away`()
        async throws
    {
        let node = try await victim()
        let picture = GalleryPlugin.Picture("seongsu", seed: 1, bytes: 1000)
        let hash = BlobHash(of: picture.thumbnail)
        var stranger = try await OpenStranger(at: node.port, in: space)
        for bytes in [8190, 8191] {
            try stranger.write(
                photo: try claim(2, bytes: 1000),
                thumbnail: try #require(Blob(hash: hash, bytesCount: bytes, kind: "image/jpeg")))
        }
        let liar = stranger
        let (questions, question) = AsyncStream.makeStream(of: Void.self)
        let lying = Task {
            try await liar.serve { message in
                if case .seek(let seek) = message, seek.blobs.contains(where: { $0.hash == hash }) {
                    question.yield()
                }
                return []
            }
        }
        // A wrong length is looked for first.
        var asked = questions.makeAsyncIterator()
        #expect(await asked.next() != nil)
        let honest = try await victim()
        try await honest.call(GalleryPlugin.add, picture)
        try await honest.dial(node)
        #expect(await eventually { files(node).contains(hash.description) })
        lying.cancel()
        liar.peer.close()
        for running in [node, honest] { try await running.remove() }
    }

    private func claim(_ byte: UInt8, bytes: Int) throws -> Blob {
        try #require(Blob(hash: BlobHash(of: [byte]), bytesCount: bytes, kind: "image/jpeg"))
    }

    @Test func `claims of 16 MiB that are never sent hold up nobody else's photos`() async throws {
        let node = try await victim()
        var stranger = try await OpenStranger(at: node.port, in: space)
        let claims = try (UInt8(1)...2).map { try claim($0, bytes: Limits.blobBytesMax) }
        for (index, photo) in claims.enumerated() {
            let thumbnail = try claim(UInt8(10 + index), bytes: 8192)
            try stranger.write(photo: photo, thumbnail: thumbnail)
        }
        let liar = stranger
        let (thumbnails, thumbnail) = AsyncStream.makeStream(of: BlobHash.self)
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let lying = Task {
            try await liar.serve { message in
                switch message {
                case .seek(let seek):
                    for blob in seek.blobs { thumbnail.yield(blob.hash) }
                    let large = seek.blobs.filter { $0.bytesCount == Limits.blobBytesMax }
                    return large.isEmpty
                        ? [] : [liar.found(Seek(channel: 0, hops: 0, blobs: large))]
                case .want: request.yield()
                default: break
                }
                return []
            }
        }
        // The node keeps the records when it asks for their thumbnails.
        var kept: Set<BlobHash> = []
        for await hash in thumbnails where kept.insert(hash).inserted && kept.count == 2 { break }
        let honest = try await victim()
        try await honest.dial(node)
        var askers: [OpenStranger] = []
        for photo in claims {
            let asker = try await OpenStranger(at: node.port, in: space)
            let blob = SoughtBlob(hash: photo.hash, bytesCount: photo.bytesCount)
            _ = try await asker.peer.answers(to: [asker.seek([blob])])
            askers.append(asker)
        }
        var begun = requests.makeAsyncIterator()
        #expect(await begun.next() != nil)
        let began = ContinuousClock.now
        let picture = GalleryPlugin.Picture("seongsu", seed: 1, bytes: 1000)
        try await honest.call(GalleryPlugin.add, picture)
        let hash = BlobHash(of: picture.thumbnail).description
        #expect(await eventually(seconds: 40) { files(node).contains(hash) })
        // The bytes of the claims would take 16 s.
        #expect(ContinuousClock.now - began < .seconds(12))
        lying.cancel()
        for peer in [liar.peer] + askers.map(\.peer) { peer.close() }
        for running in [node, honest] { try await running.remove() }
    }

    @Test func `a flood of questions is dropped, and the node goes on`() async throws {
        let node = try await victim()
        let picture = GalleryPlugin.Picture("seongsu", seed: 1, bytes: 1000)
        try await node.call(GalleryPlugin.add, picture)
        let stranger = try await OpenStranger(at: node.port, in: space)
        let questions = (0..<160).map { number in
            stranger.seek(
                (0..<64).map { sought([UInt8(number), UInt8($0), 1]) }
                    .sorted { $0.hash < $1.hash })
        }
        let answers = try await stranger.peer.answers(to: questions)
        #expect(answers.allSatisfy { if case .found = $0 { false } else { true } })
        // The link stays, and what is left of its minute counts for short questions.
        let late = try await stranger.peer.answers(to: [stranger.seek([sought(picture.photo)])])
        #expect(late.contains { if case .found = $0 { true } else { false } })
        _ = try await node.call(NodeCommands.status)
        stranger.peer.close()
        try await node.remove()
    }
}
