internal import Identity
internal import Records
internal import Replica
internal import Sync

/// A device of the run: its files, its replica while it runs, its clock and its links.
struct VirtualNode {
    let index: Int
    /// The index of the device's person.
    let person: Int
    let key: DeviceKey
    let isLiar: Bool
    var home: NodeHome
    /// The replica; nil while the node is down.
    var replica: Replica?
    /// The epoch that HELLO contains.
    var epoch: Bytes16
    /// Whether the epoch was renewed after a restore.
    var isEpochRenewed = false
    /// Whether a whole older home was restored, of which the node cannot know.
    var wasRestoredUnknowingly = false
    /// The error of the wall clock, in milliseconds, and the latest time it ever showed.
    var clockOffset: Int64
    var latestWall = Timestamp.min
    /// The people whom this node regards as mates.
    var mates: Set<Int> = []
    /// The groups that are open here, with the members to whom they are served.
    var groups: [SpaceDescriptor: [Member]] = [:]
    /// The newest link to each peer.
    var links: [Int: Int] = [:]
    /// The batches that were acknowledged to the writer or to a peer, and must survive any crash.
    var promised: [SpaceID: [LogName: LogHead]] = [:]
    /// The latest merged stamp of each space.
    var merged: [SpaceID: Stamp] = [:]
    /// The spaces that may not be written before all peers were asked for this device's own log,
    /// because an older database was restored.
    var unsettled: Set<SpaceID> = []
    /// Whether an older database was ever restored, so that acknowledgements by peers may be lost.
    var wasRestored = false
    /// Whether the device has not joined its person yet.
    var isAbsent = false
    /// The record with which it joined.
    var joined: PersonRecord?
    /// Whether its person removed the device.
    var isRemoved = false
    /// The content that this node fetches.
    var content = ContentFetching()
    /// Whether to look for content that is not here.
    var isLookDue = true
    /// The content that each person's links may still be answered with.
    var allowances: [Int: ContentAllowance] = [:]
    /// Whether the next stored run is followed by a crash before its acknowledgement.
    var crashesOnceStored = false

    var device: DeviceID { key.id }

    /// Records that all batches up to this one must persist.
    mutating func promise(_ head: LogHead, in space: SpaceID) {
        let present = promised[space]?[head.log]?.number ?? 0
        if head.number > present { promised[space, default: [:]][head.log] = head }
    }

    /// Records merged batches. Later edits must be stamped after them.
    mutating func record(_ commits: [Commit]) {
        for commit in commits {
            let latest = merged[commit.space] ?? Stamp(.min)
            merged[commit.space] = max(latest, commit.stamp)
            let isAboutPhotos = commit.changes.contains {
                $0.collection == RecordCollection.simulatedPhoto.name
            }
            if isAboutPhotos || commit.membershipChanged { isLookDue = true }
        }
    }
}
