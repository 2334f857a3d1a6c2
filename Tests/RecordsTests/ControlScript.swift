import Records

/// A group's control operations, written by hand into logs that have no bodies.
struct ControlScript {
    let space: SpaceDescriptor
    private(set) var facts: [ControlFact] = []
    private(set) var lengths: [LogName: UInt64] = [:]
    private var hashCount: UInt64 = 0

    init(owner: PersonID) { space = .group(owner: owner, nonce: .zero) }

    /// Returns the person with a number; their devices are those of ``device(_:_:)``.
    static func person(_ number: UInt8) -> PersonID { PersonID(raw: filled(number)) }

    /// Returns the device with a number of a numbered person.
    static func device(_ person: UInt8, _ number: UInt8 = 0) -> DeviceID {
        DeviceID(raw: filled(person &* 16 &+ number))
    }

    private static func filled(_ byte: UInt8) -> Bytes32 {
        Bytes32([UInt8](repeating: byte, count: 32)) ?? .zero
    }

    /// Returns the hash of the n-th batch of a script. It does not depend on the batch's position.
    static func hash(_ number: UInt64) -> BatchHash {
        BatchHash(raw: Digest.header.hash([UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]))
    }

    /// Appends a batch to a log.
    /// - Returns: the batch's name.
    @discardableResult
    mutating func write(
        _ person: UInt8, device: UInt8 = 0, branch: BranchName = .main,
        _ actions: [Operation.Action] = [], at time: UInt64
    ) -> LogHead {
        let log = LogName(device: Self.device(person, device), branch: branch)
        hashCount += 1
        lengths[log, default: 0] += 1
        let head = LogHead(log: log, number: lengths[log] ?? 0, hash: Self.hash(hashCount))
        for (index, action) in actions.enumerated() {
            facts.append(
                ControlFact(
                    author: Self.person(person), batch: head,
                    stamp: Stamp(rawValue: time) ?? .max, index: index, action: action))
        }
        batches.append(head)
        return head
    }

    /// All batches in the order of writing.
    private(set) var batches: [LogHead] = []

    /// The membership that results from all facts.
    var membership: Membership { membership(of: facts) }

    /// Returns the membership that results from some facts, in their order.
    func membership(of facts: [ControlFact]) -> Membership {
        Membership(of: space, facts: facts, tree: tree)
    }

    /// The tree in which every batch is in the log to which it was written.
    var tree: LogTree {
        let places = batches.map { ($0, $0.log) }
        return LogTree(places: Dictionary(places, uniquingKeysWith: { first, _ in first }))
    }
}

extension Membership {
    /// Returns the reach of a person's log of the main branch.
    func reach(_ person: UInt8, device: UInt8 = 0, _ branch: BranchName = .main) -> UInt64 {
        let log = LogName(device: ControlScript.device(person, device), branch: branch)
        return reach(of: log, by: ControlScript.person(person))
    }

    func state(_ person: UInt8) -> Member.State? { member(ControlScript.person(person))?.state }

    func role(_ person: UInt8) -> Role? { member(ControlScript.person(person))?.role }
}

extension LogHead {
    /// The branch of logs that a grant in this batch starts.
    var branch: BranchName { BranchName(raw: hash.raw) }
}

extension UInt64 {
    /// The reach of a log that nothing limits.
    static let everything = Limits.batchNumberMax
}
