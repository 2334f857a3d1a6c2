internal import Identity
internal import Records
internal import Sync

/// A link between two nodes: a session at each end, and the frames in transit.
final class VirtualLink {
    /// A frame in transit.
    struct Frame {
        let type: UInt8
        let payload: [UInt8]

        /// Whether a forgetful link may lose or repeat the frame.
        var isForgettable: Bool { [3, 4, 5].contains(type) }
    }

    /// An item waiting to be sent.
    enum Item {
        case message(Message)
        /// The batches of a log after a number, which are read when the item is sent.
        case log(SpaceID, LogName, after: UInt64, prefix: UInt64, channel: UInt64)
        /// The answer to a request for content of a space, which is read when the item is sent.
        case content(ContentRequest, SpaceID?)
    }

    /// One end of a link.
    struct End {
        let node: Int
        /// This side's nonce of HELLO and the peer's.
        let nonces: (local: Bytes16, remote: Bytes16)
        var session: SyncSession
        var isOpen = true
        var outbox: [Item] = []
        var isDraining = false
        /// The peer's requests for content that wait for its allowance, oldest first.
        var contentRequests: [ContentRequest] = []
        /// The arrival time of the last frame sent from here.
        var lastArrival: Int64 = 0
        /// The frames from here that a one-way partition delays.
        var stalled: [Frame] = []
        /// The frames from here that may be replayed.
        var sent: [Frame] = []
        var faultCount = 0
        /// The records that this end sent before their authors' batches.
        var introduced: [PersonID: PersonRecord] = [:]
        /// The pause before the next question for digests, and the time of that question.
        var digestPause: Int64 = End.digestPauseMin
        var nextQuestion: Int64 = 0
        /// The spaces in the order of this end's channels.
        var channels: [SpaceID] = []
        /// The ends of each space's local logs, as the session knows them.
        var here: [SpaceID: [LogState]] = [:]
        /// The ends of logs that this end announced to the peer. Each run from the peer continues
        /// one of them.
        var told: [SpaceID: [LogName: Set<UInt64>]] = [:]

        static let digestPauseMin: Int64 = 500
        static let digestPauseMax: Int64 = 30_000
        /// The number of frames stored for replays.
        static let sentMax = 40
    }

    let id: Int
    var ends: [End]
    /// The time at which the link was cut. No frame arrives later.
    var cutAt: Int64?

    init(id: Int, ends: [End]) {
        self.id = id
        self.ends = ends
    }

    /// Returns the end at a node.
    func end(of node: Int) -> Int { ends[0].node == node ? 0 : 1 }
}

extension VirtualLink.End {
    /// Records that the peer learns of a local log's end.
    mutating func tell(_ space: SpaceID, _ log: LogName, _ number: UInt64) {
        told[space, default: [:]][log, default: [0]].insert(number)
    }

    /// Records the local logs' ends that a message contains.
    mutating func tell(_ message: Message) {
        switch message {
        case .vector(let vector), .acknowledge(let vector):
            guard vector.channel < channels.count else { return }
            for reach in vector.logs { tell(channels[Int(vector.channel)], reach.log, reach.high) }
        case .have:
            // An equal digest is as informative as a vector.
            for (space, heads) in here { for head in heads { tell(space, head.log, head.high) } }
        default: break
        }
    }

    /// Shares spaces, and records the order in which the session numbers its channels.
    mutating func share(_ spaces: [SharedSpace]) -> [SyncSession.Effect] {
        channels += spaces.map(\.space).filter { !channels.contains($0) }
        for space in spaces { here[space.space] = space.logs }
        return session.share(spaces)
    }

    /// Passes a space's new state to the session.
    mutating func advance(_ space: SharedSpace) -> [SyncSession.Effect] {
        here[space.space] = space.logs
        return session.advanced(space)
    }
}
