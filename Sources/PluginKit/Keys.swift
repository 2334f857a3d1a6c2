extension Key {
    /// Creates a key from the id of a person.
    public init(_ person: PersonID) { self.init(digits: person.description) }
    /// Creates a key from the id of a device.
    public init(_ device: DeviceID) { self.init(digits: device.description) }
    /// Creates a key from the id of a space.
    public init(_ space: SpaceID) { self.init(digits: space.description) }
    /// Creates a key from the hash of a blob.
    public init(_ hash: BlobHash) { self.init(digits: hash.description) }
}

extension KeySuffix {
    /// Creates the first digits of a person's key.
    public init(_ person: PersonID) { self.init(Key(person)) }
    /// Creates the first digits of a device's key.
    public init(_ device: DeviceID) { self.init(Key(device)) }
}

extension RecordKey {
    /// Creates a key from the id of a record.
    public init(_ entity: EntityID) { self.init(digits: entity.description) }
}

extension NameOrKey {
    /// Creates a prefix that is the whole key of a person.
    public init(_ person: PersonID) { self.init(Key(person)) }
    /// Creates a prefix that is the whole key of a device.
    public init(_ device: DeviceID) { self.init(Key(device)) }
    /// Creates a prefix that is the whole id of a space.
    public init(_ space: SpaceID) { self.init(Key(space)) }
}

extension RecordPrefix {
    /// The first and the last of the records whose ids begin with these digits.
    public var entities: ClosedRange<EntityID> {
        EntityID(ids.lowerBound)...EntityID(ids.upperBound)
    }
}

extension EntityID {
    /// Creates the id of the record that a command names.
    public init(_ key: RecordKey) {
        guard let id = EntityID(key.string) else {
            preconditionFailure("a record's key has as many digits as its id")
        }
        self = id
    }
}

extension PersonID {
    /// Creates the id of the person with this whole key.
    public init(_ key: Key) {
        guard let id = PersonID(key.string) else {
            preconditionFailure("a key has as many digits as a person's id")
        }
        self = id
    }
}
