import Records

@testable import Sync

/// Logs, offers and pieces of an open space whose hashes follow from the log and the number alone.
enum OpenFixture {
    static let space = SpaceDescriptor.open(name: "seongsu-dong").id

    static func device(_ number: Int) -> DeviceID {
        DeviceID(raw: raw(UInt64(number), 0))
    }

    /// 32 bytes of two numbers, which costs no hashing.
    private static func raw(_ high: UInt64, _ low: UInt64) -> Bytes32 {
        var bytes: [UInt8] = []
        for number in [high, low, 0, 0] { bytes.append(bigEndian: number) }
        return Bytes32(bytes) ?? .zero
    }

    static func log(_ number: Int) -> LogName { LogName(device: device(number)) }

    static func hash(_ log: LogName, _ number: UInt64) -> BatchHash {
        guard number > 0 else { return .none }
        let device = log.device.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        return BatchHash(raw: raw(device << 40 | number, 1))
    }

    static func offer(_ log: LogName, _ numbers: ClosedRange<UInt64>) -> OfferedLog {
        OfferedLog(
            log: log, low: numbers.lowerBound, high: numbers.upperBound,
            prefix: hash(log, numbers.upperBound).prefix)
    }

    static let signature: Signature = {
        guard let signature = Signature([UInt8](repeating: 0, count: 64)) else {
            preconditionFailure("a signature has 64 bytes")
        }
        return signature
    }()

    /// A run whose batches have bodies of about `bytes` bytes.
    static func run(_ log: LogName, _ numbers: ClosedRange<UInt64>, bytes: Int = 1) -> Run {
        let operation = Operation(
            collection: CollectionID(rawValue: 7),
            entity: EntityID(raw: Bytes16(prefixOf: raw(1, 1))),
            action: .set(field: 1, .bytes([UInt8](repeating: 1, count: bytes))))
        let links = numbers.map {
            Run.Link(
                stamp: Stamp(Timestamp(milliseconds: Int64($0))), body: BatchBody([operation]))
        }
        return Run(
            log: log, firstNumber: numbers.lowerBound, epoch: 0, batches: links,
            signature: signature)
    }

    static func piece(
        _ log: LogName, _ numbers: ClosedRange<UInt64>, bytes: Int = 1
    ) -> PassedRun {
        PassedRun(
            record: nil, previous: hash(log, numbers.lowerBound - 1),
            run: run(log, numbers, bytes: bytes))
    }

    static func digest(_ logs: [LogName: ClosedRange<UInt64>]) -> Bytes16 {
        var bytes: [UInt8] = []
        for (log, numbers) in logs.sorted(by: { $0.key < $1.key }) {
            bytes += log.device.bytes
            bytes.append(varint: numbers.lowerBound)
            bytes.append(varint: numbers.upperBound)
        }
        return Bytes16(prefixOf: Digest.logs.hash(bytes))
    }
}

/// One exchange over a store of numbers, whose peers are written by the test.
struct OpenSide {
    var exchange: OpenExchange
    var logs: [LogName: ClosedRange<UInt64>]
    var now: Duration = .zero
    /// The messages that were sent and not taken, by device.
    var sent: [DeviceID: [Message]] = [:]
    var reads: [(device: DeviceID, ask: LogAsk)] = []
    var stores: [(device: DeviceID, ask: LogAsk, piece: PassedRun)] = []
    var refusedCount = 0
    /// The number of changes, of which the digest is made here.
    private var revision: UInt64 = 0

    init(_ logs: [LogName: ClosedRange<UInt64>] = [:]) {
        self.logs = logs
        exchange = OpenExchange(
            space: OpenFixture.space, digest: OpenFixture.digest(logs),
            logs: logs.map { OpenFixture.offer($0.key, $0.value) })
    }

    mutating func perform(_ effects: [OpenExchange.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let device, let message): sent[device, default: []].append(message)
            case .read(let device, let ask): reads.append((device, ask))
            case .store(let device, let ask, let piece): stores.append((device, ask, piece))
            case .refused: refusedCount += 1
            }
        }
    }

    /// Links a device that names the space with a digest of its own.
    mutating func link(_ device: DeviceID, digest: Bytes16 = Bytes16(prefixOf: .zero)) {
        exchange.linkBegan(device, channel: 0)
        perform(exchange.named(device, digest: digest, now: now))
    }

    mutating func receive(_ message: Message, from device: DeviceID) throws {
        perform(try exchange.receive(message, from: device, now: now))
    }

    /// Offers logs that changed.
    mutating func offer(_ logs: [OfferedLog], from device: DeviceID) throws {
        try receive(
            .offer(
                Offer(
                    channel: 0, digest: .zero, part: .changes,
                    logs: logs.sorted { $0.log < $1.log })), from: device)
    }

    /// Answers the oldest question, which is for a page, with all logs.
    mutating func page(_ logs: [OfferedLog] = [], from device: DeviceID) throws {
        try receive(
            .offer(
                Offer(
                    channel: 0, digest: .zero, part: .lastPage,
                    logs: logs.sorted { $0.log < $1.log })), from: device)
    }

    mutating func pass(_ piece: PassedRun, from device: DeviceID) throws {
        try receive(
            .passed(Passed(channel: 0, record: nil, previous: piece.previous, run: piece.run)),
            from: device)
    }

    /// Changes what is here.
    mutating func write(_ log: LogName, _ numbers: ClosedRange<UInt64>) {
        logs[log] = numbers
        revision += 1
        var bytes: [UInt8] = []
        bytes.append(varint: revision)
        perform(
            exchange.change(
                [OpenFixture.offer(log, numbers)], gone: [],
                digest: Bytes16(prefixOf: Digest.audit.hash(bytes)), now: now))
    }

    /// Stores the oldest received piece, or gives it another outcome.
    mutating func store(_ outcome: OpenExchange.Outcome = .stored) {
        let (device, ask, piece) = stores.removeFirst()
        if outcome == .stored {
            let run = piece.run
            let own = logs[run.log]
            let low = min(own?.lowerBound ?? .max, run.firstNumber)
            write(run.log, low...max(own?.upperBound ?? 0, run.lastNumber))
        }
        perform(exchange.stored(ask, from: device, outcome, now: now))
    }

    mutating func wait(_ time: Duration) {
        let end = now + time
        while let wake = exchange.nextWake(after: now), wake <= end {
            now = max(now, wake)
            perform(exchange.advance(now: now))
        }
        now = end
        perform(exchange.advance(now: now))
    }

    /// Takes the questions that a device was asked, and drops other messages to it.
    mutating func questions(to device: DeviceID) -> [OpenQuestion.Subject] {
        let messages = sent.removeValue(forKey: device) ?? []
        return messages.compactMap { if case .ask(let ask) = $0 { ask.subject } else { nil } }
    }

    /// The logs of which a device was asked for pieces.
    mutating func asked(of device: DeviceID) -> [LogName] {
        questions(to: device).compactMap {
            if case .piece(let ask, _) = $0 { ask.log } else { nil }
        }
    }

    mutating func offers(to device: DeviceID) -> [Offer] {
        let messages = sent.removeValue(forKey: device) ?? []
        return messages.compactMap { if case .offer(let offer) = $0 { offer } else { nil } }
    }
}
