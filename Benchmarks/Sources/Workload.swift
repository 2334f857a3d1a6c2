import Crypto
import Records

/// The workload W1: 100 000 writes of 16 hexadecimal digits to 2000 records with ten fields, by
/// eight devices that do not communicate before the merge. The later write of a field wins.
struct Workload: Sendable {
    static let operationsCount = 100_000
    static let actorsCount = 8
    static let recordsCount = 2000
    static let fieldsCount = 10
    static let batchOperationsCount = 3

    /// One write.
    struct Write: Sendable {
        let actor: Int
        let record: Int
        let field: Int
        let value: String
        /// Milliseconds since 1970.
        let time: Int64

        /// The field's name in the checks.
        var key: String { "e\(record).f\(field)" }
    }

    /// A transaction of one actor: consecutive writes and their time.
    struct Transaction: Sendable {
        var writes: [Write]
        var time: Int64
    }

    let writes: [Write]

    /// Creates a workload from other writes, to test that it is refused.
    init(_ writes: [Write]) { self.writes = writes }

    init() {
        var generator = SplitMix(seed: 0x5eed)
        writes = (0..<Workload.operationsCount).map { number in
            let actor = generator.below(UInt64(Workload.actorsCount))
            let record = generator.below(UInt64(Workload.recordsCount))
            let field = generator.below(UInt64(Workload.fieldsCount))
            return Write(
                actor: actor, record: record, field: field,
                value: Workload.hexadecimal(generator.next()),
                time: 1_700_000_000_000 + 10 * Int64(number))
        }
    }

    /// Returns sixteen digits.
    static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Returns each actor's writes in order, divided into transactions of `count`.
    ///
    /// A transaction has one time, that of its last write. If a write would thereby overtake a
    /// later write of another actor, the transaction gets the time of the overtaking write instead.
    /// This applies to 2 of 33 338 transactions, and makes the final state equal to that of single
    /// writes.
    func transactions(of count: Int) -> [[Transaction]] {
        var latest: [String: Int64] = [:]
        for write in writes { latest[write.key] = write.time }
        return (0..<Workload.actorsCount).map { actor in
            let own = writes.filter { $0.actor == actor }
            return stride(from: 0, to: own.count, by: count).map { start in
                let some = Array(own[start..<min(start + count, own.count)])
                let last = some[some.count - 1].time
                let overtaking = some.first { write in
                    latest[write.key].map { write.time < $0 && $0 < last } ?? false
                }
                return Transaction(writes: some, time: overtaking?.time ?? last)
            }
        }
    }
}

extension Workload {
    /// SHA-256 over the lines `actor seq key value time`.
    static let streamHash = "9b5fed8bc7367246d8ddb5ed90137aa0d606d8f733438d16c9bba77f778a0fb8"
    /// SHA-256 over the lines `key=value`, sorted as bytes.
    static let stateHash = "d0d720e6857d713df91355a46a45a301634fe22cabfe3fd46643e5fce93e8188"
    /// The number of fields with a value in the final state.
    static let stateFieldsCount = 19_847

    /// The hash of the generated stream.
    var hash: String {
        var hasher = SHA256()
        var counts = [Int](repeating: 0, count: Workload.actorsCount)
        for write in writes {
            counts[write.actor] += 1
            let line =
                "\(write.actor) \(counts[write.actor]) \(write.key) \(write.value) \(write.time)\n"
            hasher.update(data: Array(line.utf8))
        }
        return Hexadecimal.text(Array(hasher.finalize()))
    }

    /// Checks that this is the workload's stream.
    /// - Throws: ``BenchFault/wrongStream``.
    func check() throws(BenchFault) {
        guard hash == Workload.streamHash else { throw .wrongStream }
    }

    /// Returns the hash of a final state.
    static func hash(ofState state: [String: String]) -> String {
        var hasher = SHA256()
        let lines = state.map { Array("\($0.key)=\($0.value)\n".utf8) }
        for line in lines.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            hasher.update(data: line)
        }
        return Hexadecimal.text(Array(hasher.finalize()))
    }
}
