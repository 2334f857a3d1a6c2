internal import Identity
internal import Records
internal import Replica
internal import Sync

extension RecordCollection {
    /// The posts of people in a simulated town.
    static let simulatedPost = RecordCollection(
        "simulation.post/1", table: "simulated_post", spaces: [.open], isErasable: true,
        dailyRecordsMax: 20, fields: [Field(1, "text", .text(bytesMax: 4000))])
}

/// An end of a link in a town.
struct OpenTownLink {
    /// The number of the link, which is never used again.
    let number: Int
    var session: SyncSession
    /// The time before which nothing further arrives here, in milliseconds.
    var lastArrival: Int64 = 0
    /// The runs of the peer that were refused.
    var refusedCount = 0
}

/// An honest node: its replica, its exchange and its links.
struct OpenResident {
    let key: DeviceKey
    let record: PersonRecord
    let replica: Replica
    var exchange: OpenExchange
    var revision: UInt64
    var links: [Int: OpenTownLink] = [:]
    /// The people whose posts are kept: mates, and people met.
    var retained: Set<Int> = []
    /// The people at the other ends of the links.
    var linked: Set<PersonID> = []
    /// The peers whose people brought their share when that was looked up last.
    var fullPeople: Set<PersonID> = []
    /// When the exchange is called next, in milliseconds.
    var wake: Int64?
    /// When the disk is free, in milliseconds.
    var diskFree: Int64 = 0
    /// The number of times that each batch arrived.
    var arrivals: [LogName: [UInt64: Int]] = [:]
    /// When the end of each log was stored, in milliseconds.
    var reached: [LogName: [UInt64: Int64]] = [:]
    var bytes = 0

    var log: LogName { LogName(device: key.id) }
}
