/// A control operation, with everything that decides whether it counts.
public struct ControlFact: Hashable, Comparable, Sendable {
    /// The person whose device wrote it.
    public let author: PersonID
    /// The batch that contains it. The log is the one that holds the batch on this replica.
    public let batch: BatchName
    /// The batch's stamp.
    public let stamp: Stamp
    /// The operation's index in its batch.
    public let index: Int
    /// A grant, an accept, a cut or an erase; no other action is a control operation.
    public let action: Operation.Action

    /// Creates a fact from an operation and its position.
    public init(
        author: PersonID, batch: BatchName, stamp: Stamp, index: Int, action: Operation.Action
    ) {
        self.author = author
        self.batch = batch
        self.stamp = stamp
        self.index = index
        self.action = action
    }

    /// Returns the same operation by another person, for a device that several people claim.
    public func written(by author: PersonID) -> ControlFact {
        ControlFact(author: author, batch: batch, stamp: stamp, index: index, action: action)
    }

    /// Orders by stamp, device, batch hash and operation index, which is the order of writes.
    public static func < (left: ControlFact, right: ControlFact) -> Bool {
        if left.stamp != right.stamp { return left.stamp < right.stamp }
        if left.batch.log.device != right.batch.log.device {
            return left.batch.log.device < right.batch.log.device
        }
        if left.batch.hash != right.batch.hash { return left.batch.hash < right.batch.hash }
        return left.index < right.index
    }

    /// The person that a grant or cut is about; nil for other actions.
    public var subject: PersonID? {
        switch action {
        case .grant(let person, _), .cut(let person, _): person
        default: nil
        }
    }

    /// Whether it is a cut of the author.
    public var isOwnCut: Bool {
        if case .cut(author, _) = action { true } else { false }
    }

    /// Whether it is a grant, or a cut of another person. Such an operation has an effect only if
    /// its author is an owner.
    public var isAct: Bool { subject != nil && !isOwnCut }

    /// The log heads that a cut lists; empty for other actions.
    public var heads: [LogHead] {
        if case .cut(_, let heads) = action { heads } else { [] }
    }

    /// Whether the author leaves the space, if it is a group: a cut of oneself that lists no log,
    /// or that lists a log of the device that wrote it. A cut of oneself that lists only other
    /// devices' logs ends those logs, for example after a device was lost. Nobody leaves other
    /// spaces.
    public var isLeaving: Bool {
        guard case .cut(author, let heads) = action else { return false }
        return heads.isEmpty || heads.contains { $0.log.device == batch.log.device }
    }
}
