internal import Identity
internal import Records
internal import Sync

/// Person records from a peer that are not yet usable: the batch that identifies their people may
/// still arrive. They are kept unchecked until the link ends.
struct WaitingRecords: Sendable {
    /// The total length of the records that are kept, in bytes: as much as one frame holds.
    static let bytesMax = Limits.frameBytesMax

    private var records: [PersonID: ClaimedPersonRecord] = [:]
    private var bytesCount = 0

    var isEmpty: Bool { records.isEmpty }

    /// The records, in no order.
    var all: [ClaimedPersonRecord] { Array(records.values) }

    /// Keeps a record in place of the person's earlier one: a peer sends a record again when it
    /// contains more. A record is dropped if there is no room.
    mutating func keep(_ record: ClaimedPersonRecord) {
        let freed = records[record.person]?.encoded.count ?? 0
        let bytesAfter = bytesCount - freed + record.encoded.count
        guard freed > 0 || records.count < Limits.identityPersonsMax,
            bytesAfter <= WaitingRecords.bytesMax
        else { return }
        records[record.person] = record
        bytesCount = bytesAfter
    }

    /// Removes a record.
    mutating func remove(_ person: PersonID) {
        bytesCount -= records.removeValue(forKey: person)?.encoded.count ?? 0
    }
}
