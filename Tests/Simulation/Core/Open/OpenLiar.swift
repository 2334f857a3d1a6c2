internal import Identity
internal import Records
internal import Sync
internal import TestSupport

/// A node with many keys that breaks what the protocol expects of a peer.
struct OpenLiar {
    /// The ways of lying, besides offering the logs of many keys.
    enum Lie: Int, CaseIterable {
        /// Passes only the ends of logs.
        case tails
        /// Offers everybody's log up to a huge number, differently each time, and has it not.
        case boast
        /// Answers no question.
        case silence
        /// Sends what nobody asked for, and asks for what nobody has.
        case flood
        /// Comes back as another person again and again, each time with other keys.
        case disguise
    }

    /// One key with its log of two batches.
    struct Key {
        let record: ClaimedPersonRecord
        let runs: [CheckedRun]
        let links: [Run.Link]
        let log: LogName
    }

    let lie: Lie
    private(set) var key: DeviceKey
    private(set) var record: PersonRecord
    /// The logs of its keys.
    private(set) var keys: [LogName: Key] = [:]
    /// Everything that it has to offer, in order.
    private var allOffers: [OfferedLog] = []
    /// The number of its disguises so far.
    private var disguises = 0
    var links: [Int: OpenTownLink] = [:]

    /// Creates a liar with its keys.
    /// - Parameter honest: the logs of honest people, which it offers too if it boasts.
    init(
        _ lie: Lie, keyCount: Int, honest: [LogName], space: SpaceID, wallTime: Timestamp,
        using chance: inout SeededGenerator
    ) throws {
        self.lie = lie
        (key, record) = try OpenTown.person(using: &chance)
        for _ in 0..<keyCount {
            let made = try OpenLiar.key(in: space, wallTime: wallTime, using: &chance)
            keys[made.log] = made
        }
        let own = keys.values.map {
            OfferedLog(
                log: $0.log, low: 1, high: 2, prefix: $0.runs[1].batches[0].hash.prefix)
        }
        let others = lie == .tails || lie == .flood ? [] : honest
        allOffers = (own + others.map { OpenLiar.boast($0, &chance) }).sorted { $0.log < $1.log }
    }

    /// The logs that it offers now, in order.
    var offers: [OfferedLog] {
        guard lie == .disguise else { return allOffers }
        return allOffers.enumerated().filter { $0.offset % 8 == disguises % 8 }.map(\.element)
    }

    /// Becomes another person with another device.
    mutating func disguise(using chance: inout SeededGenerator) throws {
        (key, record) = try OpenTown.person(using: &chance)
        disguises += 1
    }

    private static func boast(_ log: LogName, _ chance: inout SeededGenerator) -> OfferedLog {
        OfferedLog(
            log: log, low: 1, high: Limits.batchNumberMax - UInt64(chance.number(0...1_000_000)),
            prefix: chance.next())
    }

    /// Makes a person with a device that wrote two posts.
    private static func key(
        in space: SpaceID, wallTime: Timestamp, using chance: inout SeededGenerator
    ) throws -> Key {
        let (key, record) = try OpenTown.person(using: &chance)
        let log = LogName(device: key.id)
        var runs: [CheckedRun] = []
        var links: [Run.Link] = []
        var previous = BatchHash.none
        for number in 1...2 as ClosedRange<UInt64> {
            let nonce = Bytes16(chance.bytes(16)) ?? .zero
            let collection = RecordCollection.simulatedPost.id
            let entity = Operation.entity(
                in: space, of: collection, by: record.person, nonce: nonce)
            let actions: [Operation.Action] = [
                .create(nonce: nonce), .set(field: 1, .text("buy at key \(log.device.suffix)")),
            ]
            let body = BatchBody(
                actions.map { Operation(collection: collection, entity: entity, action: $0) },
                salt: Bytes16(chance.bytes(16)) ?? .zero)
            let stamp = Stamp(wallTime - .seconds(100 - Int(number)))
            let run = try CheckedRun(
                authoring: body, in: space, log: log, number: number, previous: previous, epoch: 0,
                stamp: stamp, sign: key.sign)
            runs.append(run)
            links.append(Run.Link(stamp: stamp, body: body))
            previous = run.batches[0].hash
        }
        return Key(record: ClaimedPersonRecord(record), runs: runs, links: links, log: log)
    }

    /// Returns the page of its offer after a log.
    func page(after log: LogName?) -> (logs: [OfferedLog], hasMore: Bool) {
        let rest = offers.filter { offered in log.map { $0 < offered.log } ?? true }
        return (Array(rest.prefix(Limits.vectorLogsMax)), rest.count > Limits.vectorLogsMax)
    }

    /// Returns what it answers a question for a piece of a log; nil for nothing.
    func answer(_ ask: LogAsk, channel: UInt64) -> Message? {
        guard lie != .silence else { return nil }
        guard let key = keys[ask.log], case .after(let number, _) = ask.position, number < 2 else {
            return .notPassed(NotPassed(channel: channel, log: ask.log))
        }
        return .passed(key.passed(onFrom: lie == .tails ? 2 : number + 1, channel: channel))
    }

    /// Returns what it sends unasked.
    func unasked(channel: UInt64, using chance: inout SeededGenerator) -> [Message] {
        switch lie {
        case .tails, .silence, .disguise: return []
        case .boast:
            let logs = offers.shuffled(using: &chance).prefix(100).map {
                OpenLiar.boast($0.log, &chance)
            }
            return [
                .offer(
                    Offer(
                        channel: channel, digest: Bytes16(chance.bytes(16)) ?? .zero,
                        part: .changes, logs: logs.sorted { $0.log < $1.log }))
            ]
        case .flood:
            let key = keys.values.sorted { $0.log < $1.log }.randomElement(using: &chance)
            let unknown = LogName(device: DeviceKey(using: &chance).id)
            let ask = LogAsk(log: unknown, position: .after(0, prefix: 0), bytesMax: 65_536)
            let question = OpenQuestion(
                channel: channel, subject: .piece(ask, isRecordWanted: true))
            return (key.map { [.passed($0.passed(onFrom: 1, channel: channel))] } ?? [])
                + [.ask(question)]
        }
    }
}

extension OpenLiar.Key {
    /// Returns the log from its first or its second batch on.
    fileprivate func passed(onFrom number: UInt64, channel: UInt64) -> Passed {
        let run = Run(
            log: log, firstNumber: number, epoch: 0,
            batches: Array(links.dropFirst(Int(number) - 1)), signature: runs[1].signature)
        return Passed(
            channel: channel, record: record,
            previous: number == 1 ? .none : runs[0].batches[0].hash, run: run)
    }
}
