/// A change of one entity of one collection.
public struct Operation: Hashable, Sendable {
    /// The collection of the entity.
    public let collection: CollectionID
    /// The changed entity.
    public let entity: EntityID
    /// The change.
    public let action: Action

    /// Creates an operation from its fields.
    public init(collection: CollectionID, entity: EntityID, action: Action) {
        self.collection = collection
        self.entity = entity
        self.action = action
    }

    /// Creates a control operation.
    public init(control action: Action) {
        self.init(collection: .control, entity: .control, action: action)
    }

    /// A change of an entity. The rare control actions are indirect, so that the many operations on
    /// records stay small.
    public enum Action: Hashable, Sendable {
        /// Creates the entity. Its id is the hash of its creator's device key and the nonce; in an
        /// open space, of its creator's person and the nonce.
        case create(nonce: Bytes16)
        /// Creates the one entity of this collection that the author's person has in this space.
        case createOwn
        /// Sets a field (last writer, first writer, append).
        case set(field: UInt64, Value)
        /// Adds an element to a set; the operation's dot identifies the addition.
        case add(field: UInt64, Value)
        /// Removes the dots of a set that the author has seen, in ascending order.
        case remove(field: UInt64, [Dot])
        /// Adds a number, which may be negative, to a counter.
        case count(field: UInt64, Int64)
        /// Control: grants a person a role in the space.
        indirect case grant(PersonID, Role)
        /// Control: accepts the role given to the author's person.
        case accept
        /// Control: removes a person; of their logs only the listed heads and their ancestors
        /// count.
        indirect case cut(PersonID, [LogHead])
        /// Control: makes the operations of one batch void and erases its body.
        indirect case erase(BatchName)
    }

    /// Returns the id of the entity that a device creates with a nonce.
    public static func entity(
        in space: SpaceID, of collection: CollectionID, by device: DeviceID, nonce: Bytes16
    ) -> EntityID {
        var bytes = space.bytes
        bytes.append(bigEndian: collection.rawValue)
        device.raw.append(to: &bytes)
        nonce.append(to: &bytes)
        return EntityID(raw: Bytes16(prefixOf: Digest.entity.hash(bytes)))
    }

    /// Returns the id of the entity that a person's device creates with a nonce in an open space.
    /// Every device of the person can write the record anew, so the id names the person.
    public static func entity(
        in space: SpaceID, of collection: CollectionID, by person: PersonID, nonce: Bytes16
    ) -> EntityID {
        entity(in: space, of: collection, by: DeviceID(raw: person.raw), nonce: nonce)
    }

    /// Returns the id of the one entity of a collection that a person has in a space.
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
    /// Whether the action creates an entity.
    public var isCreate: Bool {
        switch self {
        case .create, .createOwn: true
        case .set, .add, .remove, .count, .grant, .accept, .cut, .erase: false
        }
    }
}

/// A member's permission in a group.
public enum Role: UInt8, Hashable, Sendable, CaseIterable {
    /// May read.
    case reader = 1
    /// May read and write.
    case writer = 2
    /// May also grant, remove and demote.
    case owner = 3
}

/// A batch at the end of a log, or at the end of the part that counts.
public struct LogHead: Hashable, Comparable, Sendable {
    /// The log.
    public let log: LogName
    /// The number of the batch, from 1.
    public let number: UInt64
    /// The hash of the batch's header.
    public let hash: BatchHash

    /// Creates a head from its fields.
    public init(log: LogName, number: UInt64, hash: BatchHash) {
        self.log = log
        self.number = number
        self.hash = hash
    }

    /// Orders by the log alone.
    public static func < (left: LogHead, right: LogHead) -> Bool { left.log < right.log }
}

/// A log within a space: a device and a branch of its batches.
public struct LogName: Hashable, Comparable, Sendable {
    /// The device that writes the log.
    public let device: DeviceID
    /// The branch of the device's batches.
    public let branch: BranchName

    /// Creates a name; without a branch it is that of the main log.
    public init(device: DeviceID, branch: BranchName = .main) {
        self.device = device
        self.branch = branch
    }

    /// Orders by device, then by branch.
    public static func < (left: LogName, right: LogName) -> Bool {
        left.device != right.device ? left.device < right.device : left.branch < right.branch
    }
}

/// A batch, identified by its log, number and hash.
public typealias BatchName = LogHead
