import ControlAPI
import Foundation
import Identity
import Node
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features
@testable import Sync

/// A mate whose profile photos never end.
@Suite(.serialized, .timeLimit(.minutes(5))) struct EndlessContentTests {
    @Test func `photos of a card that never arrive whole leave one part`() async throws {
        let mate = try await HostileMate.capture()
        let peer = try await mate.link()
        let card = SpaceDescriptor.card(mate.identity.person.person)
        var log = try await mate.log(in: card.id)
        for number in 1...4 {
            let blob = try #require(
                Blob(
                    hash: BlobHash(of: [UInt8(number)]), bytesCount: 4 * Limits.blobPieceBytes,
                    kind: EncodedPhoto.kind))
            try log.write(
                log.record(
                    ProfilePhotos.collection.name,
                    [
                        (1, blob.value), (2, .integer(Int64(number))),
                        (3, .bytes([UInt8](repeating: 1, count: 100))),
                    ]))
            try await peer.send(log.push(number - 1..<number, channel: 2))
            try await answer(blob, from: peer)
            let bytes = 3 * Limits.blobPieceBytes
            let isStored = await eventually { parts(mate.victim.home) == [bytes] }
            #expect(isStored, "photo \(number): \(parts(mate.victim.home))")
        }
        peer.close()
        try await mate.end()
    }

    /// Sends three of four pieces of a photo, and says that there is no fourth.
    private func answer(_ blob: Blob, from peer: HostilePeer) async throws {
        let piece = [UInt8](repeating: 1, count: Limits.blobPieceBytes)
        for number in 0..<4 {
            let last = await peer.messages { message in
                if case .want(let request) = message { request.hash == blob.hash } else { false }
            }.last
            guard case .want(let request) = last else {
                throw CommandFault.failed("photo is not asked for")
            }
            try await peer.send(
                number < 3
                    ? .piece(ContentPiece(request: request, bytes: piece)) : .lacking(request))
        }
    }

    /// The lengths of the parts of content on a victim's disk.
    private func parts(_ home: Home) -> [Int] {
        let directory = home.blobsDirectory + "/partial"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.map { name in
            let path = directory + "/" + name
            let size = try? FileManager.default.attributesOfItem(atPath: path)[.size]
            return (size as? NSNumber)?.intValue ?? -1
        }
    }
}
