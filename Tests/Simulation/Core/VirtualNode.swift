internal import Identity
internal import Records
internal import Replica
internal import Sync

/// One device of the run: its files, its replica while it is up, its clock and its links.
struct VirtualNode {
    let index: Int
    /// The index of the person whose it is.
    let person: Int
    let key: DeviceKey
    let isLiar: Bool
    var home: NodeHome
    /// Nil while the node is down.
    var replica: Replica?
    /// How far the wall clock is off, in milliseconds, and the latest time it ever showed.
    var clockOffset: Int64
    var latestWall: Int64 = .min
    /// The people this node takes for mates.
    var mates: Set<Int> = []
    /// The groups that are open here, with those to whom they are served.
    var groups: [SpaceDescriptor: [Member]] = [:]
    /// The newest link to each peer.
    var links: [Int: Int] = [:]
    /// What was acknowledged, to the writer or to a peer, and must be there after any crash.
    var promised: [SpaceID: [LogName: LogHead]] = [:]
    /// The latest stamp that was merged in each space.
    var merged: [SpaceID: Stamp] = [:]
    /// Spaces in which nothing is written before all peers were asked for this device's own log,
    /// since an older database came back.
    var unsettled: Set<SpaceID> = []
    /// Whether an older database ever came back: what peers noted of this device may be gone.
    var wasRestored = false
    /// Whether the next run that is stored ends in a crash before it is acknowledged.
    var crashesOnceStored = false

    var device: DeviceID { key.id }

    /// Notes that everything up to a batch will be there for ever.
    mutating func promise(_ head: LogHead, in space: SpaceID) {
        let present = promised[space]?[head.log]?.number ?? 0
        if head.number > present { promised[space, default: [:]][head.log] = head }
    }

    /// Notes what was merged, which later edits are made knowing of.
    mutating func note(_ commits: [Commit]) {
        for commit in commits {
            let latest = merged[commit.space] ?? Stamp(milliseconds: 0)
            merged[commit.space] = max(latest, commit.stamp)
        }
    }
}
