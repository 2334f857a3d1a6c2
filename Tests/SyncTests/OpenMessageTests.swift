import Identity
import Records
import Testing

@testable import Sync

/// The bytes of the messages of open spaces.
struct OpenMessageTests {
    private let sender = DeviceKey()

    private func read(_ type: UInt8, _ payload: [UInt8]) throws -> Message {
        try Message(type: type, payload: payload, sender: sender.id)
    }

    private func isRefused(_ type: UInt8, _ payload: [UInt8]) -> Bool {
        (try? read(type, payload)) == nil
    }

    private var record: ClaimedPersonRecord {
        get throws {
            var generator = SystemRandomNumberGenerator()
            let founding = FoundingRecord(
                firstDevice: sender.id, recoveryKey: RecoveryWords(using: &generator).key.publicKey)
            return ClaimedPersonRecord(try PersonRecord(founding: founding, firstDevice: sender))
        }
    }

    private func passed(_ numbers: ClosedRange<UInt64>, _ record: ClaimedPersonRecord?) -> Passed {
        let log = OpenFixture.log(1)
        return Passed(
            channel: 300, record: record, previous: OpenFixture.hash(log, numbers.lowerBound - 1),
            run: OpenFixture.run(log, numbers))
    }

    @Test func `each message is read as it was written`() throws {
        let log = OpenFixture.log(1)
        let offered = OpenFixture.offer(log, 3...Limits.batchNumberMax)
        let asks: [LogAsk] = [
            LogAsk(log: log, position: .after(0, prefix: 0), bytesMax: 1),
            LogAsk(log: log, position: .after(7, prefix: .max), bytesMax: 65_536),
            LogAsk(log: log, position: .before(2), bytesMax: 65_536),
        ]
        var messages: [(UInt8, Message)] = asks.map { ask in
            let subject = OpenQuestion.Subject.piece(ask, isRecordWanted: false)
            return (30, .ask(OpenQuestion(channel: 0, subject: subject)))
        }
        let first = OpenQuestion.Subject.piece(asks[0], isRecordWanted: true)
        messages += [
            (
                29,
                .offer(Offer(channel: 9, digest: .zero, part: .changes, logs: []))
            ),
            (
                29,
                .offer(Offer(channel: 9, digest: .zero, part: .lastPage, logs: []))
            ),
            (29, .offer(Offer(channel: 9, digest: .zero, part: .page, logs: [offered]))),
            (30, .ask(OpenQuestion(channel: 0, subject: .page(after: nil)))),
            (30, .ask(OpenQuestion(channel: 0, subject: .page(after: log)))),
            (30, .ask(OpenQuestion(channel: 0, subject: first))),
            (31, .passed(passed(1...2, nil))), (31, .passed(passed(1...1, try record))),
            (31, .passed(passed(5...6, nil))), (31, .passed(passed(5...6, try record))),
            (32, .notPassed(NotPassed(channel: 1, log: log))),
        ]
        for (type, message) in messages {
            #expect(message.versionMin == 6)
            #expect(message.type == type)
            #expect(try read(type, message.payload(sender: sender.id)) == message)
        }
    }

    @Test func `an offer of 1024 logs is read, and one of 1025 is refused`() throws {
        func offer(_ count: Int) -> [UInt8] {
            let logs = (0..<count).map { OpenFixture.offer(OpenFixture.log($0), 1...1) }
            return Message.offer(
                Offer(
                    channel: 0, digest: .zero, part: .changes,
                    logs: logs.sorted { $0.log < $1.log })
            ).payload(sender: sender.id)
        }
        #expect(!isRefused(29, offer(1024)))
        #expect(isRefused(29, offer(1025)))
        #expect(offer(1024).count < Limits.frameBytesMin)
    }

    @Test func `an offer out of order, of no batches or of huge numbers is refused`() {
        let (one, two) = (OpenFixture.log(1), OpenFixture.log(2))
        func offer(_ logs: [OfferedLog], _ part: Offer.Part = .changes) -> [UInt8] {
            Message.offer(Offer(channel: 0, digest: .zero, part: part, logs: logs))
                .payload(sender: sender.id)
        }
        let sorted = [min(one, two), max(one, two)].map { OpenFixture.offer($0, 1...2) }
        #expect(!isRefused(29, offer(sorted)))
        #expect(isRefused(29, offer(sorted.reversed())))
        #expect(isRefused(29, offer([sorted[0], sorted[0]])))
        #expect(isRefused(29, offer([], .page)))
        for (low, high) in [(0, 1), (2, 1), (1, Limits.batchNumberMax + 1)] as [(UInt64, UInt64)] {
            let logs = [OfferedLog(log: one, low: low, high: high, prefix: 0)]
            #expect(isRefused(29, offer(logs)), "\(low) to \(high)")
        }
        var unknownPart = offer(sorted)
        unknownPart[17] = 3
        #expect(isRefused(29, unknownPart))
    }

    @Test func `a question has one encoding, and its numbers have bounds`() {
        let log = OpenFixture.log(1)
        let name = log.device.bytes + log.branch.bytes
        #expect(!isRefused(30, [0, 0]))
        #expect(isRefused(30, [0, 0] + name))
        #expect(isRefused(30, [0, 5] + name))
        // After 0 has no prefix; after 1 has one.
        #expect(!isRefused(30, [0, 2] + name + [0, 1]))
        #expect(isRefused(30, [0, 2] + name + [1, 1]))
        #expect(!isRefused(30, [0, 2] + name + [1] + [UInt8](repeating: 0, count: 8) + [1]))
        // There is nothing before 1, and no answer without a byte.
        #expect(isRefused(30, [0, 4] + name + [1, 1]))
        #expect(!isRefused(30, [0, 4] + name + [2, 1]))
        #expect(isRefused(30, [0, 4] + name + [2, 0]))
        #expect(!isRefused(30, [0, 4] + name + [2, 0x80, 0x80, 4]))
        #expect(isRefused(30, [0, 4] + name + [2, 0x81, 0x80, 4]))
        func before(_ number: UInt64) -> [UInt8] {
            var bytes = [0, 4] + name
            bytes.append(varint: number)
            return bytes + [1]
        }
        #expect(!isRefused(30, before(Limits.batchNumberMax)))
        #expect(isRefused(30, before(Limits.batchNumberMax + 1)))
        #expect(isRefused(30, before(.max)))
    }

    @Test func `the hash before a piece comes exactly if its first number is above 1`() throws {
        let first = Message.passed(passed(1...2, nil)).payload(sender: sender.id)
        let later = Message.passed(passed(2...3, nil)).payload(sender: sender.id)
        // Two bytes of the channel, then the flags.
        #expect(first[2] == 0 && later[2] == 2)
        var wrong = Array(first[..<2] + [2] + [UInt8](repeating: 7, count: 32) + first[3...])
        #expect(isRefused(31, wrong))
        wrong = Array(later[..<2] + [0] + later[35...])
        #expect(isRefused(31, wrong))
        #expect(isRefused(31, Array(first[..<2] + [4] + first[3...])))
        #expect(isRefused(31, Array(first[..<2] + [1, 0] + first[3...])))
        #expect(isRefused(31, first + [0]))
        #expect(isRefused(31, Array(first.dropLast())))
    }

    @Test func `the memory of an offer and of a piece counts what they hold`() throws {
        let logs = (0..<1024).map { OpenFixture.offer(OpenFixture.log($0), 1...1) }
        let offer = Message.offer(Offer(channel: 0, digest: .zero, part: .page, logs: logs))
        #expect(offer.memoryBytes >= 1024 * MemoryLayout<OfferedLog>.stride)
        let with = Message.passed(passed(1...9, try record)).memoryBytes
        let without = Message.passed(passed(1...9, nil)).memoryBytes
        #expect(with - without >= (try record.encoded.count))
        #expect(without >= OpenFixture.run(OpenFixture.log(1), 1...9).memoryBytes)
    }
}
