/// One change to one entity of one collection.
public struct Operation: Hashable, Sendable {
    public let collection: CollectionID
    public let entity: EntityID
    public let action: Action

    /// Names the entity and what happens to it.
    public init(collection: CollectionID, entity: EntityID, action: Action) {
        self.collection = collection
        self.entity = entity
        self.action = action
    }

    /// A control operation.
    public init(control action: Action) {
        self.init(collection: .control, entity: .control, action: action)
    }

    /// What happens to an entity. Control is rare and stands elsewhere, so that the many operations
    /// on records are small.
    public enum Action: Hashable, Sendable {
        /// The entity begins. Its id is the hash of its creator's device key and the nonce.
        case create(nonce: Bytes16)
        /// The one entity of this collection that the author's person has in this space begins.
        case createOwn
        /// A field takes a value (last writer, first writer, append).
        case set(field: UInt64, Value)
        /// An element joins a set; this operation is its dot.
        case add(field: UInt64, Value)
        /// The dots of a set that the author has seen go, in ascending order.
        case remove(field: UInt64, [Dot])
        /// A counter grows, or shrinks when negative.
        case count(field: UInt64, Int64)
        /// Control: a person gets a role in the space.
        indirect case grant(PersonID, Role)
        /// Control: the author's person accepts the role they were given.
        case accept
        /// Control: a person is removed; of their logs only what is named counts.
        indirect case cut(PersonID, [LogHead])
        /// Control: the operations of one batch are void and its body goes.
        indirect case erase(BatchName)
    }

    /// The id of the entity that a device creates with a nonce.
    public static func entity(
        in space: SpaceID, of collection: CollectionID, by device: DeviceID, nonce: Bytes16
    ) -> EntityID {
        var bytes = space.bytes
        bytes.append(bigEndian: collection.rawValue)
        device.raw.append(to: &bytes)
        nonce.append(to: &bytes)
        return EntityID(raw: Bytes16(prefixOf: Digest.entity.hash(bytes)))
    }

    /// The id of the one entity of a collection that a person has in a space.
    public static func ownEntity(
        in space: SpaceID, of collection: CollectionID, person: PersonID
    ) -> EntityID {
        var bytes = space.bytes
        bytes.append(bigEndian: collection.rawValue)
        person.raw.append(to: &bytes)
        return EntityID(raw: Bytes16(prefixOf: Digest.ownEntity.hash(bytes)))
    }
}

extension Operation.Action {
    /// Whether an entity begins.
    public var isCreate: Bool {
        switch self {
        case .create, .createOwn: true
        case .set, .add, .remove, .count, .grant, .accept, .cut, .erase: false
        }
    }
}

/// What a member may do in a group.
public enum Role: UInt8, Hashable, Sendable, CaseIterable {
    case reader = 1
    case writer = 2
    case owner = 3
}

/// A log's last batch that counts.
public struct LogHead: Hashable, Comparable, Sendable {
    public let log: LogName
    /// The number of the batch, from 1.
    public let number: UInt64
    public let hash: BatchHash

    /// Names a batch as the end of a log.
    public init(log: LogName, number: UInt64, hash: BatchHash) {
        self.log = log
        self.number = number
        self.hash = hash
    }

    public static func < (left: LogHead, right: LogHead) -> Bool { left.log < right.log }
}

/// A log within a space: a device and a branch of its batches.
public struct LogName: Hashable, Comparable, Sendable {
    public let device: DeviceID
    public let branch: BranchName

    /// Names a log; without a branch the one that never forked.
    public init(device: DeviceID, branch: BranchName = .main) {
        self.device = device
        self.branch = branch
    }

    public static func < (left: LogName, right: LogName) -> Bool {
        left.device != right.device ? left.device < right.device : left.branch < right.branch
    }
}

/// One batch by its place and its hash.
public typealias BatchName = LogHead
