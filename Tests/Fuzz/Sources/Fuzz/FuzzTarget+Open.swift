import Records
import Sync

// What peers send about an open space.
extension FuzzTarget {
    /// The input is a row of frames of the messages of open spaces: a byte that names the type and
    /// the sender, two bytes of length, and the payload. Whatever comes, a peer is asked little,
    /// and nothing is stored that was not asked for.
    static let open = FuzzTarget("open", costing: .large) { bytes in
        var side = OpenFuzzSide()
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

/// An exchange with two links, and what it asked them for.
private struct OpenFuzzSide {
    private static let peers = [UInt8(1), 2].compactMap {
        DeviceID(bytes: [UInt8](repeating: $0, count: 32))
    }
    private static let log = LogName(device: peers[0])

    private var exchange: OpenExchange
    private var unanswered: [DeviceID: Int] = [:]
    private var now: Duration = .zero

    init() {
        let space = SpaceDescriptor.open(name: "fuzz").id
        let own = OfferedLog(log: OpenFuzzSide.log, low: 5, high: 9, prefix: 7)
        exchange = OpenExchange(space: space, digest: .zero, logs: [own])
        for peer in OpenFuzzSide.peers {
            exchange.linkBegan(peer, channel: 0)
            let effects = exchange.named(peer, digest: Bytes16(prefixOf: peer.raw), now: now)
            unanswered[peer] = effects.count
        }
    }

    mutating func receive(_ head: UInt8, _ payload: [UInt8]) throws {
        let peer = OpenFuzzSide.peers[Int(head >> 7)]
        now += .milliseconds(Int(head >> 2 & 0x1f))
        try perform(exchange.advance(now: now))
        let type = 29 + (head & 3)
        guard let message = try? Message(type: type, payload: payload, sender: peer) else { return }
        let effects: [OpenExchange.Effect]
        do {
            effects = try exchange.receive(message, from: peer, now: now)
        } catch {
            effects = exchange.linkEnded(peer, now: now)
            unanswered[peer] = 0
            exchange.linkBegan(peer, channel: 0)
        }
        let isAnswer = message.isOpenAnswer
        if isAnswer, !effects.contains(.refused(peer)) { unanswered[peer, default: 0] -= 1 }
        try perform(effects)
    }

    private mutating func perform(_ effects: [OpenExchange.Effect]) throws {
        for effect in effects {
            switch effect {
            case .send(let device, .ask):
                unanswered[device, default: 0] += 1
                try require(unanswered[device] ?? 0 <= 4, "a fifth question")
            case .store(let device, let ask, let piece):
                try require(piece.run.log.device == ask.log.device, "a piece of another log")
                try perform(exchange.stored(ask, from: device, .refused, now: now))
            case .read(let device, let ask):
                try perform(
                    exchange.answer(ask, to: device, with: nil, of: nil, now: now))
            case .send, .refused: break
            }
        }
    }
}

extension Message {
    /// Whether this answers a question about an open space.
    fileprivate var isOpenAnswer: Bool {
        switch self {
        case .offer(let offer): offer.part != .changes
        case .passed, .notPassed: true
        default: false
        }
    }
}
