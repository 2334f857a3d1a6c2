internal import Identity
internal import Records
internal import Sync

/// Person records that a peer brought and that are of no use yet: whose they are may stand in a
/// batch that is still to come. They live as long as the link.
struct WaitingRecords: Sendable {
    private var records: [PersonID: PersonRecord] = [:]

    var isEmpty: Bool { records.isEmpty }

    /// The records, in no order.
    var all: [PersonRecord] { Array(records.values) }

    /// Keeps a record, joined with what is kept of the person; of more people than one IDENTITY
    /// may name none is kept.
    mutating func keep(_ record: PersonRecord) {
        guard let known = records[record.person] else {
            if records.count < Limits.identityPersonsMax { records[record.person] = record }
            return
        }
        records[record.person] = (try? known.merging(record)) ?? known
    }

    /// Lets go of a record.
    mutating func remove(_ person: PersonID) { records[person] = nil }
}
