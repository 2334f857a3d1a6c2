internal import Foundation
internal import Identity
internal import Records
internal import Replica
internal import TestSupport

/// The person whose replica is tested, their mate, and the space they share, all derived from a
/// seed.
struct Cast {
    let key: DeviceKey
    let mateKey: DeviceKey
    let me: PersonRecord
    let mate: PersonRecord

    init(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        key = DeviceKey(using: &generator)
        mateKey = DeviceKey(using: &generator)
        me = try Cast.person(key, &generator)
        mate = try Cast.person(mateKey, &generator)
    }

    private static func person(
        _ key: DeviceKey, _ generator: inout SeededGenerator
    ) throws -> PersonRecord {
        let recovery = RecoveryWords(using: &generator).key
        let founding = FoundingRecord(firstDevice: key.id, recoveryKey: recovery.publicKey)
        return try PersonRecord(founding: founding, firstDevice: key, entries: [])
    }

    /// My own space.
    var own: SpaceDescriptor { .own(me.person) }
    /// The space that both write in.
    var pair: SpaceDescriptor { .between(me.person, mate.person) }

    /// Opens a replica in a directory, as a node does at its start.
    func replica(in directory: String, of key: DeviceKey) throws -> Replica {
        try Replica(
            path: directory + "/" + Cast.fileName, key: key, collections: [.note, .entry, .photo],
            views: [], randomness: SameNumber())
    }

    /// The name of the database file; SQLite's log and the count of starts are beside it.
    static let fileName = "replica.db"
    /// The name of SQLite's log, whose sync makes a commit durable.
    static let logName = fileName + "-wal"
}

extension RecordCollection {
    /// A record with every merge rule.
    static let note = RecordCollection(
        "crash.note/1", table: "note", spaces: [.own, .pair], indexes: [["title"]],
        fields: [
            Field(1, "title", .text(bytesMax: 40), writer: .anyMember),
            Field(2, "first", .text(bytesMax: 40), merge: .firstWriter, writer: .anyMember),
            Field(3, "tags", .text(bytesMax: 20), merge: .addWinsSet, writer: .anyMember),
            Field(4, "walks", .integer(-1000...1000), merge: .counter, writer: .anyMember),
        ])

    /// A record with content beside it.
    static let photo = RecordCollection(
        "crash.photo/1", table: "photo", spaces: [.own, .pair], isErasable: true,
        fields: [Field(1, "photo", .blob(kinds: [photoKind], bytesMax: 1 << 20))])

    /// The media type of photos.
    static let photoKind = "image/jpeg"

    /// An immutable record of some size.
    static let entry = RecordCollection(
        "crash.entry/1", table: "entry", spaces: [.own, .pair],
        fields: [Field(1, "body", .bytes(countMax: 16_384), merge: .append)])
}

/// Returns the same salt each time, so that a repeated step writes the same batch. A replica draws
/// a salt even for a step that then fails, and the mate's batches name these hashes.
private struct SameNumber: RandomNumberGenerator, Sendable {
    mutating func next() -> UInt64 { 0x5a17 }
}
