import Records
import Sync

// Questions and answers of peers about content of an open space.
extension FuzzTarget {
    /// The input is a row of frames: a byte that names the type and the sender, two bytes of
    /// length, and the payload. Whatever comes, little is remembered, a peer is asked for a blob
    /// seldom, and nothing is fetched that was not looked for.
    static let seek = FuzzTarget("seek", costing: .large) { bytes in
        var side = SeekingFuzzSide()
        var rest = bytes[...]
        while rest.count >= 3 {
            let front = Array(rest.prefix(3))
            let count = min(Int(front[1]) << 8 | Int(front[2]), rest.count - 3)
            let payload = Array(rest.dropFirst(3).prefix(count))
            rest = rest.dropFirst(3 + count)
            try side.receive(front[0], payload)
        }
    }
}

/// A side with two links that looks for one blob, and keeps records of every other hash.
private struct SeekingFuzzSide {
    private static let peers = [UInt8(1), 2].compactMap {
        DeviceID(bytes: [UInt8](repeating: $0, count: 32))
    }
    private static let space = SpaceDescriptor.open(name: "fuzz").id

    private var seeking = ContentSeeking()
    /// When each device was asked for a blob the last two times.
    private var asked: [DeviceID: [SoughtBlob: (last: Duration, before: Duration?)]] = [:]
    private var now: Duration = .zero

    init() {
        // The second peer is a mate.
        seeking.recordKnown(Set(SeekingFuzzSide.peers.dropFirst()))
        for peer in SeekingFuzzSide.peers {
            _ = seeking.linkBegan(peer, in: SeekingFuzzSide.space, now: now)
        }
        let hash = BlobHash(of: [])
        if let blob = Blob(hash: hash, bytesCount: 6, kind: "image/jpeg") {
            let wanted = ContentFetching.Wanted(space: SeekingFuzzSide.space, blob: blob)
            let first = SoughtBlob(hash: hash, bytesCount: blob.bytesCount)
            for peer in SeekingFuzzSide.peers { asked[peer] = [first: (now, nil)] }
            _ = seeking.seek([wanted], now: now)
        }
    }

    mutating func receive(_ head: UInt8, _ payload: [UInt8]) throws {
        let peer = SeekingFuzzSide.peers[Int(head >> 7)]
        now += .milliseconds(100 * Int(head >> 2 & 0x1f))
        try perform(seeking.advance(now: now))
        switch head & 3 {
        case 0, 1:
            let type = 33 + (head & 1)
            guard let message = try? Message(type: type, payload: payload, sender: peer) else {
                return
            }
            switch message {
            case .seek(let seek):
                try perform(
                    seeking.receive(seek, in: SeekingFuzzSide.space, from: peer, now: now))
            case .found(let found):
                try perform(
                    seeking.receive(found, in: SeekingFuzzSide.space, from: peer, now: now))
            default: break
            }
        case 2: seeking.recordSilence(of: peer, now: now)
        default:
            seeking.linkEnded(peer)
            asked[peer] = nil
            try perform(seeking.linkBegan(peer, in: SeekingFuzzSide.space, now: now))
        }
        try require(seeking.isBounded, "too much is remembered")
    }

    private mutating func perform(_ effects: [ContentSeeking.Effect]) throws {
        var arrived: [ContentFetching.Wanted] = []
        for effect in effects {
            switch effect {
            case .ask(let device, _, let hops, let blobs):
                try require(hops < Limits.contentHopsMax, "a question goes too far")
                for blob in blobs {
                    // A new link is asked at once, and with the others when it is their time.
                    let times = asked[device]?[blob]
                    asked[device, default: [:]][blob] = (now, times?.last)
                    try require(
                        times?.before.map { now - $0 >= .seconds(45) } ?? true,
                        "a blob is asked for again and again")
                }
            case .lookUp(let device, let space, let hops, let blobs):
                let found = blobs.map { (blob: $0, content: content(of: $0)) }
                try perform(
                    seeking.answer(
                        found, hops: hops, in: space, to: device, after: seeking.arrivalsCount,
                        now: now))
            case .fetch(let wanted):
                try require(seeking.isSought(wanted), "what nobody looks for is fetched")
                if wanted.blob.hash.bytes[0] & 2 != 0 { arrived.append(wanted) }
            case .tell, .settle, .giveUp: break
            }
        }
        // Only one length of a hash arrives.
        for wanted in arrived where seeking.isSought(wanted) {
            try perform(seeking.arrived(wanted, now: now))
        }
    }

    private func content(of blob: SoughtBlob) -> SoughtContent {
        switch blob.hash.bytes[0] & 3 {
        case 0: return .isHere
        case 1: return .unknown
        default:
            let known = Blob(hash: blob.hash, bytesCount: blob.bytesCount, kind: "image/jpeg")
            return known.map { .missing($0) } ?? .unknown
        }
    }
}
