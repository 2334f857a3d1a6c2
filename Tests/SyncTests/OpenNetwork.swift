import Records
import TestSupport

@testable import Sync

/// Exchanges that are linked with each other, with a latency drawn from a seed. The stores are of
/// numbers; whether a piece is stored is decided as a replica does it: by the author's allowance
/// and by the time.
struct OpenNetwork {
    /// One end of a network.
    struct Node {
        var exchange: OpenExchange
        var logs: [LogName: ClosedRange<UInt64>] = [:]
        /// The number of times that each batch arrived.
        var arrivals: [LogName: [UInt64: Int]] = [:]
        var wake: Duration?
        var refusedCount = 0
        /// The node's way of lying, if it lies.
        var lie: Lie?
    }

    /// The ways of lying.
    enum Lie: CaseIterable {
        /// Answers nothing.
        case silence
        /// Offers what it does not have, and answers that it has it not.
        case boast
        /// Passes only the ends of logs.
        case tails
        /// Sends what nobody asked for.
        case flood
    }

    private enum Event {
        case deliver(Message, from: Int, to: Int, link: Int)
        case wake(Int)
        case stored(Int, LogAsk, DeviceID, OpenExchange.Outcome)
    }

    var nodes: [Node]
    /// The present links, each with a number that is never used again.
    private(set) var links: [Pair: Int] = [:]
    private var linkNumber = 0
    private var lastArrival: [Route: Duration] = [:]
    private var events: [(time: Duration, sequence: Int, event: Event)] = []
    private var sequence = 0
    private(set) var now: Duration = .zero
    var chance: SeededGenerator
    /// The number of batches of one author that are stored per minute of the author's allowance;
    /// nil if there is none.
    var batchesPerMinute: UInt64?

    struct Pair: Hashable {
        let low: Int
        let high: Int

        init(_ one: Int, _ other: Int) { (low, high) = (min(one, other), max(one, other)) }
    }

    private struct Route: Hashable {
        let link: Int
        let to: Int
    }

    init(_ count: Int, seed: UInt64) {
        nodes = (0..<count).map { _ in
            Node(
                exchange: OpenExchange(
                    space: OpenFixture.space, digest: OpenFixture.digest([:]), logs: []))
        }
        chance = SeededGenerator(seed: seed)
    }

    private static let devices = (0..<100).map(OpenFixture.device)
    private static let nodeByDevice = Dictionary(
        uniqueKeysWithValues: devices.enumerated().map { ($0.element, $0.offset) })

    static func device(_ node: Int) -> DeviceID { devices[node] }

    private func node(of device: DeviceID) -> Int { OpenNetwork.nodeByDevice[device] ?? 0 }

    // MARK: - Links and posts

    mutating func link(_ one: Int, _ other: Int) {
        let pair = Pair(one, other)
        guard one != other, links[pair] == nil else { return }
        linkNumber += 1
        links[pair] = linkNumber
        for (here, there) in [(one, other), (other, one)] {
            nodes[here].exchange.linkBegan(OpenNetwork.device(there), channel: 0)
        }
        for (here, there) in [(one, other), (other, one)] {
            let digest = nodes[there].exchange.digest
            perform(
                nodes[here].exchange.named(OpenNetwork.device(there), digest: digest, now: now),
                at: here)
        }
    }

    /// Ends a link; what is under way on it is lost.
    mutating func cut(_ one: Int, _ other: Int) {
        guard links.removeValue(forKey: Pair(one, other)) != nil else { return }
        for (here, there) in [(one, other), (other, one)] {
            perform(
                nodes[here].exchange.linkEnded(OpenNetwork.device(there), now: now), at: here)
        }
    }

    mutating func post(_ node: Int) {
        let log = OpenFixture.log(node)
        let high = (nodes[node].logs[log]?.upperBound ?? 0) + 1
        write(log, 1...high, at: node)
    }

    private mutating func write(_ log: LogName, _ numbers: ClosedRange<UInt64>, at node: Int) {
        nodes[node].logs[log] = numbers
        let digest = OpenFixture.digest(nodes[node].logs)
        perform(
            nodes[node].exchange.change(
                [OpenFixture.offer(log, numbers)], gone: [], digest: digest, now: now), at: node)
    }

    // MARK: - Time

    private mutating func plan(_ event: Event, at time: Duration) {
        sequence += 1
        let entry = (time, sequence, event)
        let index = events.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        events.insert(entry, at: index)
    }

    mutating func run(until end: Duration) {
        while let next = events.first, next.time <= end {
            events.removeFirst()
            now = max(now, next.time)
            switch next.event {
            case .deliver(let message, let from, let to, let link):
                guard links[Pair(from, to)] == link else { continue }
                deliver(message, from: from, to: to)
            case .wake(let node):
                guard nodes[node].wake == next.time else { continue }
                nodes[node].wake = nil
                perform(nodes[node].exchange.advance(now: now), at: node)
            case .stored(let node, let ask, let device, let outcome):
                perform(
                    nodes[node].exchange.stored(ask, from: device, outcome, now: now), at: node)
            }
        }
        now = end
    }

    private mutating func deliver(_ message: Message, from: Int, to: Int) {
        do {
            perform(
                try nodes[to].exchange.receive(message, from: OpenNetwork.device(from), now: now),
                at: to)
        } catch {
            cut(from, to)
        }
    }

    mutating func perform(_ effects: [OpenExchange.Effect], at node: Int) {
        for effect in effects {
            switch effect {
            case .send(let device, let message): send(message, from: node, to: device)
            case .read(let device, let ask):
                let piece = piece(ask, at: node)
                perform(
                    nodes[node].exchange.answer(ask, to: device, with: piece, of: nil, now: now),
                    at: node)
            case .store(let device, let ask, let piece): store(piece, ask, from: device, at: node)
            case .refused(let device):
                nodes[node].refusedCount += 1
                if nodes[node].refusedCount.isMultiple(of: 16) { cut(node, self.node(of: device)) }
            }
        }
        guard let wake = nodes[node].exchange.nextWake(after: now) else { return }
        if nodes[node].wake.map({ wake < $0 }) ?? true {
            nodes[node].wake = max(wake, now)
            plan(.wake(node), at: max(wake, now))
        }
    }

    mutating func send(_ message: Message, from: Int, to device: DeviceID) {
        let to = node(of: device)
        guard let link = links[Pair(from, to)] else { return }
        for message in lied(message, by: from) {
            let latency = Duration.milliseconds(chance.number(5...80))
            let route = Route(link: link, to: to)
            let time = max(now + latency, lastArrival[route] ?? .zero)
            lastArrival[route] = time
            plan(.deliver(message, from: from, to: to, link: link), at: time)
        }
    }

    // MARK: - Stores

    private func piece(_ ask: LogAsk, at node: Int) -> PassedRun? {
        guard let own = nodes[node].logs[ask.log] else { return nil }
        switch ask.position {
        case .after(let number, _):
            guard number < own.upperBound, number == 0 || number + 1 >= own.lowerBound else {
                return nil
            }
            let isTail = nodes[node].lie == .tails && number == 0
            let low = isTail ? own.upperBound : max(number + 1, own.lowerBound)
            return OpenFixture.piece(ask.log, low...min(own.upperBound, low + 9))
        case .before(let number):
            guard nodes[node].lie != .tails, own.lowerBound < number, number - 1 <= own.upperBound
            else { return nil }
            let low = max(own.lowerBound, number > 10 ? number - 10 : 1)
            return OpenFixture.piece(ask.log, low...number - 1)
        }
    }

    private mutating func store(
        _ piece: PassedRun, _ ask: LogAsk, from device: DeviceID, at node: Int
    ) {
        let run = piece.run
        for number in run.firstNumber...run.lastNumber {
            nodes[node].arrivals[run.log, default: [:]][number, default: 0] += 1
        }
        let own = nodes[node].logs[run.log]
        var outcome = OpenExchange.Outcome.stored
        var high = run.lastNumber
        if let rate = batchesPerMinute {
            let minutes = UInt64(now.components.seconds / 60) + 1
            if high > rate * minutes {
                high = rate * minutes
                outcome = .overAllowance(until: .seconds(60) * Int(minutes))
            }
        }
        if let own, run.firstNumber > own.upperBound + 1 {
            outcome = .refused
        } else if high >= run.firstNumber {
            let low = min(own?.lowerBound ?? .max, run.firstNumber)
            write(run.log, low...max(own?.upperBound ?? 0, high), at: node)
        }
        plan(.stored(node, ask, device, outcome), at: now + .milliseconds(chance.number(1...20)))
    }

    // MARK: - Lies

    /// Returns what a node sends in place of a message.
    private mutating func lied(_ message: Message, by node: Int) -> [Message] {
        switch (nodes[node].lie, message) {
        case (.silence, .passed), (.silence, .notPassed): return []
        case (.boast, .offer(let offer)): return [.offer(boast(offer))]
        case (.boast, .passed(let passed)):
            return [.notPassed(NotPassed(channel: 0, log: passed.run.log))]
        case (.flood, .offer(let offer)):
            let log = OpenFixture.log(chance.number(0...500))
            return [
                message,
                .passed(
                    Passed(
                        channel: 0, record: nil, previous: .none,
                        run: OpenFixture.run(log, 1...3))),
                .offer(boast(offer)),
            ]
        default: return [message]
        }
    }

    private static let boasted =
        ((0..<20).map(OpenFixture.log)
        + (0..<100).map { OpenFixture.log(9000 + $0) }).sorted()

    /// Names everybody's log up to a huge number, and logs of many keys.
    private mutating func boast(_ offer: Offer) -> Offer {
        guard offer.part == .changes else { return offer }
        let logs = OpenNetwork.boasted.map {
            OpenFixture.offer($0, 1...Limits.batchNumberMax - UInt64(chance.number(0...1000)))
        }
        return Offer(
            channel: offer.channel,
            digest: Bytes16(prefixOf: Digest.logs.hash(chance.bytes(4))), part: .changes,
            logs: logs)
    }
}
