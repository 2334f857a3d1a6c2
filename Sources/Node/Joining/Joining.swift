internal import Discovery
internal import Identity
internal import PluginKit
internal import Records
internal import Replica

/// The knowledge of a home that waits to join: the code, and perhaps where the device is that shows
/// it.
struct JoinAttempt: Sendable {
    /// The key of the code.
    let key: JoinKey
    /// The time at which the code was typed.
    let begun: Timestamp
    /// The address of the device that shows the code, if it is known.
    let address: Endpoint?
    /// The device that shows the code, if it is known.
    let device: DeviceID?
    /// The name of this device.
    let name: String

    /// Whether the code is surely over. It was shown before it was typed.
    func isOver(at time: Timestamp) -> Bool { time - begun >= JoinCode.validFor }
}

/// The progress of becoming another device of a person by a code, as a value.
struct Joining: Sendable {
    /// The device that shows the code.
    struct Adder: Sendable {
        let device: DeviceID
        let person: PersonID
        let checkCode: String
    }

    /// The attempt; nil if this home knows its person.
    let attempt: JoinAttempt?
    /// The device that answered with a right proof.
    var adder: Adder?
    /// The answers of devices that show no such code.
    var unknownCount = 0
    /// The linked devices that are too old to be asked.
    var olderCount = 0
    /// Whether the person's record had no room for this device.
    var isRefused = false
    /// The files with content of the person's own records, when they were last counted: after all
    /// batches of another device of theirs had arrived.
    var files: OwnContentCount?
    /// The limit because of which a device that receives cannot go on; nil if there is room.
    var reachedLimit: StorageQuota.Limit?
    /// The progress of the new device when it was last told, on either side.
    var toldProgress: Progress?

    /// The part of everything that a new device has.
    struct Progress: Hashable {
        let batchesCount: Int
        let files: OwnContentCount?
        let reachedLimit: StorageQuota.Limit?
    }

    init(_ attempt: JoinAttempt?) { self.attempt = attempt }
}
