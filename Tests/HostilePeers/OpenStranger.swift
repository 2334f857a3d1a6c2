import Identity
import Links
import PluginKit
import Records
import Replica
import TestSupport

@testable import Sync

/// A stranger in a neighbourhood who writes pictures by hand and passes them on. What is said and
/// sent about their content is up to the test.
struct OpenStranger {
    let peer: HostilePeer
    let space: SpaceDescriptor
    private let channel: UInt64 = 0
    private var log: WrittenLog

    /// Links with a node that joined a neighbourhood, and names it.
    init(at port: UInt16, in space: SpaceDescriptor) async throws {
        let (key, person) = try HostilePeer.stranger()
        peer = try await HostilePeer.dial(port, as: key, person)
        self.space = space
        log = WrittenLog(key, in: space.id)
        try await name()
    }

    private init(_ peer: HostilePeer, _ space: SpaceDescriptor, _ log: WrittenLog) async throws {
        (self.peer, self.space, self.log) = (peer, space, log)
        try await name()
    }

    /// Returns the same device on a new link, which replaces the old one if that is still open: it
    /// has started once more.
    func again(at port: UInt16) async throws -> OpenStranger {
        let peer = try await HostilePeer.dial(
            port, as: peer.key, peer.person, startCount: peer.mine.startCount + 1)
        return try await OpenStranger(peer, space, log)
    }

    private func name() async throws {
        // The digest says that there is something to read.
        let digest = Bytes16(prefixOf: peer.key.id.raw)
        let entry = Have.Entry(token: peer.token(space.id), digest: digest)
        try await peer.send(.have(Have(round: .announcement, entries: [entry])))
    }

    /// Writes a picture.
    mutating func write(_ picture: GalleryPlugin.Picture) throws {
        guard let photo = Blob(of: picture.photo, kind: "image/jpeg"),
            let thumbnail = Blob(of: picture.thumbnail, kind: "image/jpeg")
        else { return }
        try write(photo: photo, thumbnail: thumbnail)
    }

    /// Writes a picture with content that need not exist.
    mutating func write(photo: Blob, thumbnail: Blob) throws {
        let collection = CollectionID(name: "gallery.picture/1")
        let nonce = Bytes16(prefixOf: DeviceKey().id.raw)
        let entity = Operation.entity(
            in: space.id, of: collection, by: peer.person.person, nonce: nonce)
        let actions: [Operation.Action] = [
            .create(nonce: nonce), .set(field: 1, photo.value), .set(field: 2, thumbnail.value),
        ]
        try log.write(
            actions.map { Operation(collection: collection, entity: entity, action: $0) },
            salt: .zero)
    }

    /// Asks the node for content.
    func seek(_ blobs: [SoughtBlob], hops: Int = 7) -> Message {
        .seek(Seek(channel: channel, hops: hops, blobs: blobs))
    }

    /// Answers questions about the log, and everything about content as the test says, until a
    /// message for which the test returns nil, or the end of the link.
    /// - Returns: the messages.
    @discardableResult
    func serve(_ answer: (Message) throws -> [Message]?) async throws -> [Message] {
        var seen: [Message] = []
        while true {
            let messages = await peer.messages { _ in true }
            guard let message = messages.last else { return seen }
            seen.append(message)
            guard case .ask(let question) = message else {
                guard let answers = try answer(message) else { return seen }
                for answer in answers { try? await peer.send(answer) }
                continue
            }
            try? await peer.send(try self.answer(question))
        }
    }

    private func answer(_ question: OpenQuestion) throws -> Message {
        guard case .push(let push) = try log.push(), let last = log.batches.last else {
            throw LinkFault.closed
        }
        let name = LogName(device: peer.key.id)
        guard case .piece = question.subject else {
            let offered = OfferedLog(
                log: name, low: 1, high: log.number, prefix: last.hash.prefix)
            return .offer(
                Offer(
                    channel: channel, digest: Bytes16(prefixOf: peer.key.id.raw), part: .lastPage,
                    logs: [offered]))
        }
        return .passed(
            Passed(
                channel: channel, record: ClaimedPersonRecord(peer.person), previous: .none,
                run: push.run))
    }

    /// Says that everything is here for which the node asks.
    func found(_ seek: Seek) -> Message {
        .found(Found(channel: channel, hashes: seek.blobs.map(\.hash)))
    }
}
