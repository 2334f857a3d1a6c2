import Records

/// Control operations of a group, written by hand into logs that have no bodies.
struct ControlScript {
    let space: SpaceDescriptor
    private(set) var facts: [ControlFact] = []
    private(set) var lengths: [LogName: UInt64] = [:]
    private var hashCount: UInt64 = 0

    init(owner: PersonID) { space = .group(owner: owner, nonce: .zero) }

    /// A person of a number, who has the devices of ``device(_:_:)``.
    static func person(_ number: UInt8) -> PersonID { PersonID(raw: filled(number)) }

    /// A device by its person's number and its own.
    static func device(_ person: UInt8, _ number: UInt8 = 0) -> DeviceID {
        DeviceID(raw: filled(person &* 16 &+ number))
    }

    private static func filled(_ byte: UInt8) -> Bytes32 {
        Bytes32([UInt8](repeating: byte, count: 32)) ?? .zero
    }

    /// The hash of the n-th batch of a script, which tells nothing of its order.
    static func hash(_ number: UInt64) -> BatchHash {
        BatchHash(raw: Digest.header.hash([UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]))
    }

    /// Adds a batch to a log.
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

    /// All batches, in the order they were written.
    private(set) var batches: [LogHead] = []

    /// The membership that follows from all that is here.
    var membership: Membership { membership(of: facts) }

    /// The membership that follows from some of the facts, in their order.
    func membership(of facts: [ControlFact]) -> Membership {
        Membership(of: space, facts: facts, tree: tree)
    }

    /// Every named batch that was written is where it was written.
    var tree: LogTree {
        let places = batches.map { ($0, $0.log) }
        return LogTree(places: Dictionary(places, uniquingKeysWith: { first, _ in first }))
    }
}

extension Membership {
    /// How far a person's log of branch zero counts.
    func reach(_ person: UInt8, device: UInt8 = 0, _ branch: BranchName = .main) -> UInt64 {
        let log = LogName(device: ControlScript.device(person, device), branch: branch)
        return reach(of: log, by: ControlScript.person(person))
    }

    func state(_ person: UInt8) -> Member.State? { member(ControlScript.person(person))?.state }

    func role(_ person: UInt8) -> Role? { member(ControlScript.person(person))?.role }
}

extension LogHead {
    /// The branch that a grant in this batch begins.
    var branch: BranchName { BranchName(raw: hash.raw) }
}

extension UInt64 {
    /// Of a log that nothing limits.
    static let everything = Limits.batchNumberMax
}
