internal import Records
internal import Sync

/// One link between two nodes: a session at each end, and the frames under way.
final class VirtualLink {
    /// What is on the way: a frame's type and payload.
    struct Frame {
        let type: UInt8
        let payload: [UInt8]

        /// Whether a forgetful link may lose or repeat it.
        var isForgettable: Bool { [3, 4, 5].contains(type) }
    }

    /// What waits to be sent.
    enum Item {
        case message(Message)
        /// The batches of a log after a number, read when their turn comes.
        case log(SpaceID, LogName, after: UInt64, prefix: UInt64, channel: UInt64)
    }

    /// One side.
    struct End {
        let node: Int
        /// This side's nonce of HELLO, and the other's.
        let nonces: (local: Bytes16, remote: Bytes16)
        var session: SyncSession
        var isOpen = true
        var outbox: [Item] = []
        var isDraining = false
        /// When the last frame sent from here arrives.
        var lastArrival: Int64 = 0
        /// Frames from here that a one-way partition holds back.
        var stalled: [Frame] = []
        /// Frames from here that may be replayed.
        var sent: [Frame] = []
        var faultCount = 0
        /// The pause before the next question for digests, and when that is asked.
        var digestPause: Int64 = End.digestPauseMin
        var nextQuestion: Int64 = 0
        /// The spaces in the order of this end's channels.
        var channels: [SpaceID] = []
        /// Where the logs of each space end here, as the session knows.
        var here: [SpaceID: [LogState]] = [:]
        /// The ends of logs that this end told the other: a run from there begins after one.
        var told: [SpaceID: [LogName: Set<UInt64>]] = [:]

        static let digestPauseMin: Int64 = 500
        static let digestPauseMax: Int64 = 30_000
        /// Frames kept for replays.
        static let sentMax = 40
    }

    let id: Int
    var ends: [End]
    /// When the link was cut, after which nothing arrives.
    var cutAt: Int64?

    init(id: Int, ends: [End]) {
        self.id = id
        self.ends = ends
    }

    /// The end at a node.
    func end(of node: Int) -> Int { ends[0].node == node ? 0 : 1 }
}

extension VirtualLink.End {
    /// Notes that the other end hears where logs end here.
    mutating func tell(_ space: SpaceID, _ log: LogName, _ number: UInt64) {
        told[space, default: [:]][log, default: [0]].insert(number)
    }

    /// Notes what a message says of where logs end here.
    mutating func tell(_ message: Message) {
        switch message {
        case .vector(let vector), .acknowledge(let vector):
            guard vector.channel < channels.count else { return }
            for reach in vector.logs { tell(channels[Int(vector.channel)], reach.log, reach.high) }
        case .have:
            // A digest that is equal there says as much as a vector.
            for (space, heads) in here { for head in heads { tell(space, head.log, head.high) } }
        default: break
        }
    }

    /// Shares spaces, and notes in which order the session numbers its channels.
    mutating func share(_ spaces: [SharedSpace]) -> [SyncSession.Effect] {
        channels += spaces.map(\.space).filter { !channels.contains($0) }
        for space in spaces { here[space.space] = space.logs }
        return session.share(spaces)
    }

    /// Tells the session of what a space has grown to.
    mutating func advance(_ space: SharedSpace) -> [SyncSession.Effect] {
        here[space.space] = space.logs
        return session.advanced(space)
    }
}
