internal import PluginKit
internal import Records
internal import Synchronization
internal import WalkLogAPI

/// The walks that a person recorded, showed to mates and took back, as their devices confirmed it.
final class WalkBook: Sendable {
    /// A walk that a device kept.
    struct Kept: Sendable {
        let walk: RecordedWalk
        /// The content with its points; nil if it has none, or if the node ended before it could be
        /// asked.
        let content: BlobHash?
        /// The devices that kept or deleted it.
        var devices: Set<Place>
        var isDeleted = Told(false)
    }

    /// A walk that a mate was shown.
    struct Shown: Sendable {
        let mate: PersonID
        /// The bytes of its way; nil if the node ended before it could be asked.
        let way: [UInt8]?
        /// The devices that showed it or took it back.
        var devices: Set<Place>
        var isTakenBack = Told(false)
    }

    /// All walks, by the ids that commands know.
    struct State: Sendable {
        var kept: [RecordKey: Kept] = [:]
        var shown: [RecordKey: Shown] = [:]
    }

    private let state = Mutex(State())

    /// Reads or changes the book.
    func with<Outcome: Sendable>(_ work: (inout sending State) -> Outcome) -> Outcome {
        state.withLock { work(&$0) }
    }

    /// Records that a device is about to delete a walk.
    func attemptDeletion(of walk: RecordKey, on device: Place) {
        state.withLock { state in
            state.kept[walk]?.devices.insert(device)
            state.kept[walk]?.isDeleted.attempt(true)
        }
    }

    /// Records whether a device deleted a walk.
    func concludeDeletion(of walk: RecordKey, _ answer: Answer<some Sendable>) {
        state.withLock { $0.kept[walk]?.isDeleted.conclude(true, answer) }
    }

    /// Records that a device is about to take a walk back.
    func attemptTakingBack(_ share: RecordKey, on device: Place) {
        state.withLock { state in
            state.shown[share]?.devices.insert(device)
            state.shown[share]?.isTakenBack.attempt(true)
        }
    }

    /// Records whether a device took a walk back.
    func concludeTakingBack(_ share: RecordKey, _ answer: Answer<some Sendable>) {
        state.withLock { $0.shown[share]?.isTakenBack.conclude(true, answer) }
    }
}
