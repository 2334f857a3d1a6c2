import Identity
import Records
import Sync

// Section 18: open spaces.
extension ProtocolVectors {
    var openMessages: [String: Message] {
        get throws {
            let hash = try one.batches[0].hash
            let end = try two.batches[0].hash
            let offered = OfferedLog(log: log, low: 1, high: 2, prefix: end.prefix)
            let second = Run(
                log: log, firstNumber: 2, epoch: 0, batches: [try chain[1]],
                signature: try two.signature)
            func offer(_ part: Offer.Part, _ logs: [OfferedLog]) throws -> Message {
                .offer(Offer(channel: 1, digest: try digest, part: part, logs: logs))
            }
            func ask(
                _ position: LogAsk.Position, _ bytesMax: Int, isRecordWanted: Bool = false
            ) -> Message {
                let ask = LogAsk(log: log, position: position, bytesMax: bytesMax)
                return .ask(
                    OpenQuestion(channel: 1, subject: .piece(ask, isRecordWanted: isRecordWanted)))
            }
            return [
                "offer": try offer(.lastPage, [offered]), "offer.nothing": try offer(.changes, []),
                "ask.first-page": .ask(OpenQuestion(channel: 1, subject: .page(after: nil))),
                "ask.page": .ask(OpenQuestion(channel: 1, subject: .page(after: log))),
                "ask.after": ask(.after(1, prefix: hash.prefix), 65_536),
                "ask.new": ask(.after(0, prefix: 0), 65_536, isRecordWanted: true),
                "ask.before": ask(.before(300), 1000),
                "passed": .passed(
                    Passed(
                        channel: 1, record: ClaimedPersonRecord(try person), previous: .none,
                        run: try ownRun)),
                "passed.later": .passed(
                    Passed(channel: 1, record: nil, previous: hash, run: second)),
                "not-passed": .notPassed(NotPassed(channel: 1, log: log)),
            ]
        }
    }
}
