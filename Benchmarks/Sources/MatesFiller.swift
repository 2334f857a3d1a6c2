import ControlAPI
import Foundation
import Identity
import Photos
import PluginKit
import Records
import Replica

/// Makes the homes of a person with many mates, and of the first of these mates. If there is a photo,
/// the two have a room with many messages, and the second mate has sent many photos, whose content is
/// not there. Each mateship, card and message is a record that its author signed.
struct MatesFiller {
    private let household: Household
    private let mine: Home
    private let theirs: Home
    /// The photos of the mates, in turn.
    private let portraits: [EncodedPhoto]
    /// The time of the newest message, in milliseconds since 1970.
    private let now: Int64
    /// The photo of which the records of photos have the thumbnail; nil if the rooms are empty.
    private let photo: EncodedPhoto?
    private let matesCount: Int

    /// The number of messages in the room with the first mate.
    static let messagesCount = 5000
    /// The number of photos in the room with the second mate.
    static let photosCount = 2000
    /// The number of batches in a run: about as many as fit a frame.
    private static let runBatchesCount = 1000
    /// The interval between two messages, in milliseconds.
    private static let interval: Int64 = 60_000

    /// Creates a filler of `directory`, in which the homes are `me` and `mate`.
    /// - Parameters:
    ///   - photo: the photo of the messages with photos; nil if the rooms are empty.
    ///   - portraits: the photos of the mates, in turn.
    init(
        household: Household, directory: String, matesCount: Int, photo: EncodedPhoto? = nil,
        portraits: [EncodedPhoto] = []
    ) {
        self.household = household
        self.matesCount = matesCount
        self.photo = photo
        self.portraits = portraits
        mine = Home(directory + "/me")
        theirs = Home(directory + "/mate")
        now = Int64(Date().timeIntervalSince1970 * 1000)
    }

    /// Makes both homes.
    /// - Returns: the ids of the two rooms.
    func run() async throws -> JSONValue {
        precondition(matesCount >= 2, "two mates have a room each")
        let mates = try (0..<matesCount).map { number in
            try Mate(number, photo: portraits.isEmpty ? nil : portraits[number % portraits.count])
        }
        let first = mates[0]
        try household.makeHome(mine, of: .first)
        let replica = try await BenchReplica.open(mine.directory, household, key: household.first)
        for mate in mates { try await store(try spaces(with: mate), of: mate.record, in: replica) }
        try await replica.close()
        try first.makeHome(theirs)
        let other = try await BenchReplica.open(
            theirs.directory, record: first.record, key: first.key)
        try await store(try spaces(with: first), of: household.record, in: other)
        try await other.close()
        return [
            "room": .string(pair(with: first).id.description),
            "photos": .string(pair(with: mates[1]).id.description),
        ]
    }

    /// A space and the logs in it.
    private typealias FilledSpace = (descriptor: SpaceDescriptor, logs: [SignedLog])

    private func store(
        _ spaces: [FilledSpace], of person: PersonRecord, in replica: Replica
    ) async throws {
        try await replica.learn(person)
        for (descriptor, logs) in spaces {
            try await replica.open(descriptor)
            for run in logs.flatMap(\.runs) {
                let outcome = try await replica.merge(
                    [(descriptor.id, run)], wallTime: Timestamp(milliseconds: now))
                if let fault = outcome.faults[0] { throw fault }
            }
        }
    }

    private func pair(with mate: Mate) -> SpaceDescriptor {
        .between(household.record.person, mate.record.person)
    }

    // MARK: - Records

    /// Returns the space shared with a mate, and the mate's card.
    private func spaces(with mate: Mate) throws -> [FilledSpace] {
        let (me, other) = (household.record.person, mate.record.person)
        let met = now - Int64(Self.messagesCount + mate.number + 1) * Self.interval
        let pair = pair(with: mate)
        let meeting = Value.bytes(SignedWorkload.nonce(mate.number).bytes)
        let authors = [(key: household.first, person: me), (key: mate.key, person: other)]
        let logs = try authors.enumerated().map { place, author in
            let edge = own(
                "neighbours.edge/1", of: author.person, in: pair, [meeting, .integer(met)], at: met)
            var messages: [Run.Link] = []
            if let photo {
                if mate.number == 0 {
                    messages = self.messages(from: place, by: author.key, in: pair)
                }
                if mate.number == 1, place == 1 {
                    messages = photos(like: photo, by: author.key, in: pair)
                }
            }
            return try log(of: author.key, in: pair, [edge] + messages)
        }
        let card = own(
            "neighbours.profile/1", of: other, in: .card(other),
            [.text(mate.name), .text("Dog \(mate.number)"), .integer(4)], at: met)
        let cardLog = try log(of: mate.key, in: .card(other), [card] + portrait(of: mate, at: met))
        return [(pair, logs), (.card(other), [cardLog])]
    }

    /// Returns the record of a mate's photo, whose content is not in the home.
    private func portrait(of mate: Mate, at milliseconds: Int64) -> [Run.Link] {
        guard let photo = mate.photo, let blob = Blob(of: photo.jpeg, kind: EncodedPhoto.kind)
        else { return [] }
        let collection = CollectionID(name: "neighbours.photo/1")
        let nonce = SignedWorkload.nonce(mate.number)
        let entity = Records.Operation.entity(
            in: SpaceDescriptor.card(mate.record.person).id, of: collection, by: mate.key.id,
            nonce: nonce)
        return [
            batch(
                collection, entity, .create(nonce: nonce),
                [blob.value, .integer(milliseconds), .bytes(photo.thumbnail)], at: milliseconds + 1)
        ]
    }

    private func log(
        of key: DeviceKey, in space: SpaceDescriptor, _ batches: [Run.Link]
    ) throws -> SignedLog {
        var log = SignedLog(of: key, in: space.id)
        for start in stride(from: 0, to: batches.count, by: Self.runBatchesCount) {
            try log.append(Array(batches[start...].prefix(Self.runBatchesCount)))
        }
        return log
    }

    /// Returns every other message of the room, from the first or the second on.
    private func messages(
        from place: Int, by key: DeviceKey, in space: SpaceDescriptor
    ) -> [Run.Link] {
        let collection = CollectionID(name: "chat.message/1")
        return stride(from: place, to: Self.messagesCount, by: 2).map { number in
            let nonce = SignedWorkload.nonce(number)
            let entity = Records.Operation.entity(
                in: space.id, of: collection, by: key.id, nonce: nonce)
            return batch(
                collection, entity, .create(nonce: nonce), [.text(Self.text(number))],
                at: now - Int64(Self.messagesCount - number) * Self.interval)
        }
    }

    /// Returns the photos that a mate has sent, one after the other, up to half a minute before the
    /// newest message of the other room.
    private func photos(
        like photo: EncodedPhoto, by key: DeviceKey, in space: SpaceDescriptor
    ) -> [Run.Link] {
        let collection = CollectionID(name: "chat.message/1")
        return (0..<Self.photosCount).compactMap { number in
            let nonce = SignedWorkload.nonce(number)
            let entity = Records.Operation.entity(
                in: space.id, of: collection, by: key.id, nonce: nonce)
            let content = Blob(of: Array("photo \(number)".utf8), kind: EncodedPhoto.kind)
            let age = Int64(Self.photosCount - number) * Self.interval + Self.interval / 2
            return content.map { content in
                batch(
                    collection, entity, .create(nonce: nonce),
                    [
                        .text("📷"), content.value, .bytes(photo.thumbnail),
                        .integer(Int64(photo.size.width)), .integer(Int64(photo.size.height)),
                    ], at: now - age)
            }
        }
    }

    /// Returns a batch that creates a person's one record of a collection in a space.
    private func own(
        _ name: String, of person: PersonID, in space: SpaceDescriptor, _ values: [Value],
        at milliseconds: Int64
    ) -> Run.Link {
        let collection = CollectionID(name: name)
        let entity = Records.Operation.ownEntity(in: space.id, of: collection, person: person)
        return batch(collection, entity, .createOwn, values, at: milliseconds)
    }

    /// Returns a batch that creates a record and sets its fields, which are numbered from 1.
    private func batch(
        _ collection: CollectionID, _ entity: EntityID, _ creation: Records.Operation.Action,
        _ values: [Value], at milliseconds: Int64
    ) -> Run.Link {
        let fields = values.enumerated().map { index, value in
            Records.Operation.Action.set(field: UInt64(index + 1), value)
        }
        return Run.Link(
            stamp: Stamp(Timestamp(milliseconds: milliseconds)),
            body: BatchBody(
                ([creation] + fields).map {
                    Records.Operation(collection: collection, entity: entity, action: $0)
                }, salt: SignedWorkload.nonce(Int(milliseconds))))
    }

    /// Returns a message of one line or of several.
    private static func text(_ number: Int) -> String {
        let sentences = [
            "Message \(number).", "Shall we meet at the pond?", "오늘은 강가에서 같이산책하자.",
            "My dog found a stick that is longer than the path is wide, and will not let go of it.",
        ]
        return sentences.prefix(1 + number % sentences.count).joined(separator: " ")
    }
}
