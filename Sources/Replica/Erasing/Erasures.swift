internal import Records

/// The erases of one space that are stored and due, by the batches they name. Whether one counts
/// depends on cuts, and so it is asked when it matters.
struct Erasures {
    /// A batch by all that an erase says of it but the branch: a log that forked was divided.
    private struct Name: Hashable {
        let device: DeviceID
        let number: UInt64
        let hash: BatchHash

        init(_ batch: BatchName) {
            device = batch.log.device
            number = batch.number
            hash = batch.hash
        }
    }

    private var erases: [Name: [ControlFact]] = [:]
    /// How many there are.
    private(set) var count = 0

    /// Notes a control operation if it is an erase.
    /// - Returns: whether it is.
    mutating func note(_ fact: ControlFact) -> Bool {
        guard let name = fact.erased else { return false }
        erases[Name(name), default: []].append(fact)
        count += 1
        return true
    }

    /// The erases that name a batch.
    func naming(_ batch: BatchName) -> [ControlFact] { erases[Name(batch)] ?? [] }

    /// All of them, in no order.
    var all: [ControlFact] { erases.values.flatMap { $0 } }

    /// A row was divided: what stood behind a number stands in another row now.
    mutating func move(_ row: LogName, after number: UInt64, to side: LogName) {
        erases = erases.mapValues { facts in
            facts.map { fact in
                fact.batch.log == row && fact.batch.number > number ? fact.moved(to: side) : fact
            }
        }
    }

    /// A row was dropped with all that stood in it.
    mutating func remove(_ row: LogName) {
        let rest = all.filter { $0.batch.log != row }
        self = Erasures()
        for fact in rest { _ = note(fact) }
    }
}

extension ControlFact {
    /// The batch that an erase names; nil for others.
    var erased: BatchName? {
        if case .erase(let name) = action { name } else { nil }
    }
}

extension SpaceState {
    /// Takes in control operations that are stored and due.
    /// - Returns: whether one of them may change who belongs to the space.
    @discardableResult
    mutating func learn(_ learned: [ControlFact]) -> Bool {
        let others = learned.filter { !erasures.note($0) }
        facts += others
        return !others.isEmpty
    }
}
