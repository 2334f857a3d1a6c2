internal import Records

extension ContentSeeking {
    /// A blob that is looked for.
    struct Sought: Sendable {
        let wanted: ContentFetching.Wanted
        /// The reason for looking for it.
        var reason: Reason
        /// Whether a record of a mate or of a person met names it.
        var isOfKnown = false
        /// The number of further links over which the question goes on.
        var hops: Int
        /// The devices that asked for it.
        var askers = Askers()
        /// The devices that were asked.
        var asked: Set<DeviceID> = []
        /// The devices that said they have it.
        var finders: Set<DeviceID> = []
        /// When it is given up; nil until a link was asked.
        var deadline: Duration?
        /// When the links are asked again.
        var nextRepeat: Duration?
        var pause = SeekingLimits.repeatPauseMin
    }

    /// The devices that asked for a blob.
    struct Askers: Sendable {
        private(set) var all: Set<DeviceID> = []
        /// Those that asked for their own person. A question that is passed on has fewer hops.
        private(set) var openers: Set<DeviceID> = []

        mutating func insert(_ device: DeviceID, hops: Int) {
            all.insert(device)
            if hops == Limits.contentHopsMax - 1 { openers.insert(device) }
        }

        mutating func remove(_ device: DeviceID) {
            all.remove(device)
            openers.remove(device)
        }
    }

    /// The origins of a peer's question, in ascending order. A known device may ask because a
    /// stranger asked it.
    enum Origin: Comparable, Sendable { case stranger, throughKnown, known }

    /// The reasons for looking for content.
    enum Reason: Hashable, Sendable {
        /// This person wants to see it.
        case wanted
        /// It is fetched with its record.
        case withRecord
        /// A device asked for it.
        case passedOn(for: DeviceID)
    }

    /// Content of one hash and length in one space. A record may name a wrong length, so each
    /// length is looked for by itself.
    struct Key: Hashable, Comparable, Sendable {
        let space: SpaceID
        let hash: BlobHash
        let bytesCount: Int

        static func < (one: Key, other: Key) -> Bool {
            (one.space, one.hash, one.bytesCount) < (other.space, other.hash, other.bytesCount)
        }
    }

    /// A hash that records of one space name.
    struct Name: Hashable, Sendable {
        let space: SpaceID
        let hash: BlobHash
    }
}

extension ContentSeeking.Key {
    init(_ wanted: ContentFetching.Wanted) {
        self.init(
            space: wanted.space, hash: wanted.blob.hash, bytesCount: wanted.blob.bytesCount)
    }
}

extension ContentSeeking.Reason {
    /// The device for which content is looked for; nil if it is for this side.
    var asker: DeviceID? {
        if case .passedOn(let device) = self { device } else { nil }
    }

    /// The time for which content is looked for.
    var time: Duration {
        asker == nil ? SeekingLimits.ownTime : SeekingLimits.passedOnTime
    }
}
