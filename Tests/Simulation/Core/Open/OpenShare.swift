internal import Records
internal import Replica
internal import Sync

/// A part of a node's room for unknown authors, by the figures that the replica gives. How large it
/// must be is computed here once more, apart from the replica.
struct OpenShare: CustomStringConvertible {
    /// The people whose link has the share.
    enum Name: Hashable {
        case link(PersonID)
        /// All who are neither linked nor mates any more.
        case former
    }

    private var bytes = 0
    private var records = 0
    private var logs = 0

    init() {}

    /// Returns the part of each of some shares.
    static func part(of use: OpenUse, count: Int) -> OpenShare {
        var unknown = OpenShare()
        for brought in use.bringers.values { unknown.add(brought) }
        var part = OpenShare()
        let count = max(1, count)
        part.bytes = (Limits.openSpaceBytesMax - (use.bytes - unknown.bytes)) / count
        part.records = (Limits.openSpaceRecordsMax - (use.records - unknown.records)) / count
        part.logs = Limits.openSpaceLogsMax / count
        return part
    }

    mutating func add(_ brought: OpenUse.Share) {
        bytes += brought.bytes
        records += brought.records
        logs += brought.logs
    }

    /// Whether the share would be within a part with one more piece.
    func isWithin(_ part: OpenShare) -> Bool {
        bytes + Limits.passedBytesMax <= part.bytes && records + 200 <= part.records
            && logs < part.logs
    }

    static func >= (one: OpenShare, other: OpenShare) -> Bool {
        one.bytes >= other.bytes && one.records >= other.records && one.logs >= other.logs
    }

    var description: String { "\(bytes) bytes, \(records) records, \(logs) logs" }
}
