internal import Identity
internal import Records
internal import Sync

/// Person records from a peer that are not yet usable: the batch that identifies their people may
/// still arrive. They are kept as long as the link.
struct WaitingRecords: Sendable {
    private var records: [PersonID: PersonRecord] = [:]

    var isEmpty: Bool { records.isEmpty }

    /// The records, in no order.
    var all: [PersonRecord] { Array(records.values) }

    /// Keeps a record, joined with the person's earlier one; a record is dropped if as many people
    /// as one IDENTITY may name are kept already.
    mutating func keep(_ record: PersonRecord) {
        guard let known = records[record.person] else {
            if records.count < Limits.identityPersonsMax { records[record.person] = record }
            return
        }
        records[record.person] = (try? known.merging(record)) ?? known
    }

    /// Removes a record.
    mutating func remove(_ person: PersonID) { records[person] = nil }
}
