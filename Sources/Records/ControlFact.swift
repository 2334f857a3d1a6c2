/// One control operation of a space with all that decides whether it counts.
public struct ControlFact: Hashable, Comparable, Sendable {
    /// The person whose device wrote it.
    public let author: PersonID
    /// The batch it stands in; the log is the one that the batch lies in here.
    public let batch: BatchName
    /// The batch's stamp.
    public let stamp: Stamp
    /// The operation's index in its batch.
    public let index: Int
    /// A grant, an accept, a cut or an erase; others are never control operations.
    public let action: Operation.Action

    /// Names a control operation and its place.
    public init(
        author: PersonID, batch: BatchName, stamp: Stamp, index: Int, action: Operation.Action
    ) {
        self.author = author
        self.batch = batch
        self.stamp = stamp
        self.index = index
        self.action = action
    }

    /// The order of writes: stamp, device, batch hash, operation index.
    public static func < (left: ControlFact, right: ControlFact) -> Bool {
        if left.stamp != right.stamp { return left.stamp < right.stamp }
        if left.batch.log.device != right.batch.log.device {
            return left.batch.log.device < right.batch.log.device
        }
        if left.batch.hash != right.batch.hash { return left.batch.hash < right.batch.hash }
        return left.index < right.index
    }

    /// The person a grant or cut speaks of; nil for others.
    public var subject: PersonID? {
        switch action {
        case .grant(let person, _), .cut(let person, _): person
        default: nil
        }
    }

    /// The heads that a cut names; none for others.
    public var heads: [LogHead] {
        if case .cut(_, let heads) = action { heads } else { [] }
    }

    /// Whether its author leaves the space by it: a cut of oneself that names no log, or the log
    /// it stands in. One that names only other logs ends those, as of a device that was lost.
    public var isLeaving: Bool {
        guard case .cut(author, let heads) = action else { return false }
        return heads.isEmpty || heads.contains { $0.log.device == batch.log.device }
    }
}
