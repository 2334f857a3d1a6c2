internal import Links
internal import PluginKit
internal import Records

/// What distinguishes this run of the node from its other runs, as HELLO and `status` show it.
struct NodeStart: Sendable {
    /// New at each start, so that a peer can tell a newer boot from an older one.
    let boot: Boot
    /// The time of the start.
    let time: Timestamp
    /// The port on which the node listens; 0 before it does.
    var port: UInt16 = 0
    /// Changes if the replica may have lost data that it acknowledged.
    var replicaEpoch = Bytes16.zero

    /// Creates the start that a boot describes.
    init(boot: Boot, time: Timestamp) { (self.boot, self.time) = (boot, time) }
}
