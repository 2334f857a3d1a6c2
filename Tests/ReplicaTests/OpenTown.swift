import Identity
import Records
import Replica
import TestSupport

extension RecordCollection {
    /// A post of an open space: 20 a day, with every rule that such a space admits.
    static let post = RecordCollection(
        "test.post/1", table: "post", spaces: [.open], indexes: [["title"]], isErasable: true,
        dailyRecordsMax: 20,
        fields: [
            Field(1, "title", .text(bytesMax: 30_000)),
            Field(2, "first", .text(bytesMax: 200), merge: .firstWriter),
            Field(3, "once", .text(bytesMax: 200), merge: .append),
            Field(4, "tags", .text(bytesMax: 200), merge: .addWinsSet),
            Field(5, "done", .boolean),
        ])
    /// A comment of an open space: 200 a day.
    static let comment = RecordCollection(
        "test.comment/1", table: "comment", spaces: [.open], isErasable: true,
        dailyRecordsMax: 200, fields: [Field(1, "text", .text(bytesMax: 2000))])
}

/// One open space, and people who write there without a replica.
struct OpenTown {
    let space = SpaceDescriptor.open(name: "성수동")
    var id: SpaceID { space.id }

    /// Opens a replica of a device that has joined the space.
    /// - Parameter retained: mates and people met; nil if the core has not named them.
    func replica(
        of key: DeviceKey, knowing people: [Someone], in home: Home,
        retaining retained: Set<PersonID>? = []
    ) async throws -> Replica {
        let replica = try await home.replica(
            of: key, knowing: people, in: [space], collections: [.post, .comment])
        if let retained { await replica.retain(retained) }
        return replica
    }
}

/// Somebody who writes batches by hand into an open space, and passes pieces of them.
struct Poster {
    let someone: Someone
    let town: OpenTown
    private(set) var author: Author
    var record: PersonRecord
    private var nonces: UInt64 = 0

    init(_ someone: Someone, in town: OpenTown, with key: DeviceKey? = nil) {
        self.someone = someone
        self.town = town
        record = someone.record
        author = Author(key ?? someone.key, in: town.space)
    }

    var log: LogName { author.log }
    var count: Int { author.batches.count }

    /// Writes a post as a batch of its own.
    @discardableResult
    mutating func post(
        _ title: String, at time: Timestamp, in collection: RecordCollection = .post,
        nonce: UInt64? = nil
    ) throws -> EntityID {
        nonces += 1
        let nonce = Poster.nonce(nonce ?? nonces)
        let entity = Operation.entity(
            in: town.id, of: collection.id, by: someone.person, nonce: nonce)
        try write(
            [
                Operation(collection: collection.id, entity: entity, action: .create(nonce: nonce)),
                Operation(
                    collection: collection.id, entity: entity,
                    action: .set(field: 1, .text(title))),
            ], at: time)
        return entity
    }

    @discardableResult
    mutating func write(_ operations: [Operation], at time: Timestamp) throws -> CheckedBatch {
        let last = author.batches.last?.header.stamp
        let stamp = last.map { $0.time >= time ? $0.next ?? $0 : Stamp(time) } ?? Stamp(time)
        let salt = operations.allSatisfy { $0.collection != .control } ? Bytes16.zero : nil
        return try author.write(operations, stamp: stamp, salt: salt)
    }

    static func nonce(_ number: UInt64) -> Bytes16 {
        var bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
        bytes.append(bigEndian: number)
        return Bytes16(bytes) ?? .zero
    }

    /// Returns batches, by their numbers, as they are passed.
    /// - Parameter bodiless: the numbers of those that are passed without their body.
    func piece(
        _ numbers: ClosedRange<Int>, withRecord: Bool = true, without bodiless: Set<Int> = []
    ) -> PassedRun {
        let previous =
            numbers.lowerBound > 1 ? author.batches[numbers.lowerBound - 2].hash : BatchHash.none
        return PassedRun(
            record: withRecord ? record.encoded : nil, previous: previous,
            run: author.run(numbers.lowerBound - 1..<numbers.upperBound) {
                bodiless.contains(Int($0.header.number))
            })
    }

    /// The whole log as one piece.
    var piece: PassedRun { piece(1...count) }

    /// Returns a poster whose log forks after some batches.
    func forking(after count: Int) -> Poster {
        var fork = self
        fork.author = author.forgetting(after: count)
        fork.nonces += 1000
        return fork
    }
}

extension Replica {
    /// Receives a piece.
    @discardableResult
    func receive(
        _ piece: PassedRun, from bringer: Someone, in town: OpenTown, at wall: Timestamp = now
    ) async throws -> ReceivedPiece {
        try await receive(piece, in: town.id, from: bringer.person, wallTime: wall)
    }

    /// The titles of all posts, sorted.
    func titles() async throws -> [String] {
        try await read("SELECT title FROM post ORDER BY title", allowedTables: nil)
            .compactMap { $0.text("title") }
    }

    /// Returns the log of a device as it is offered.
    nonisolated func offered(_ log: LogName, in town: OpenTown) -> OfferedLog? {
        offer(of: town.id)?.logs.first { $0.log == log }
    }
}

extension Duration {
    static func days(_ count: Int) -> Duration { .seconds(count * 24 * 60 * 60) }
}
