// The wire form of a run. Repeated ids are written once, in dictionaries ordered by first use, so
// that an operation costs its value and a few bytes. The receiver rebuilds and hashes each
// canonical body, so this form needs no separate signature.

private enum RunFlag {
    static let device: UInt8 = 1
    static let branch: UInt8 = 2
    static let epoch: UInt8 = 4
    static let all: UInt8 = 7
}

extension Run {
    /// Appends the wire form.
    /// - Parameter sender: the device at this end of the link; runs of its own logs omit its id.
    public func encode(into bytes: inout [UInt8], sender: DeviceID) {
        var flags: UInt8 = 0
        if log.device != sender { flags |= RunFlag.device }
        if log.branch != .main { flags |= RunFlag.branch }
        if epoch != 0 { flags |= RunFlag.epoch }
        bytes.append(flags)
        if log.device != sender { log.device.raw.append(to: &bytes) }
        if log.branch != .main { log.branch.raw.append(to: &bytes) }
        if epoch != 0 { bytes.append(varint: epoch) }
        bytes.append(varint: firstNumber)
        let dictionary = RunDictionary(batches)
        dictionary.encode(into: &bytes)
        bytes.append(varint: UInt64(batches.count))
        var before = Stamp(.min)
        for batch in batches {
            batch.stamp.encode(into: &bytes, after: before)
            before = batch.stamp
            batch.content.encode(into: &bytes, dictionary)
        }
        bytes.append(contentsOf: signature.bytes)
    }

    /// Reads the wire form.
    public init(from reader: inout ByteReader, sender: DeviceID) throws(RecordFault) {
        let flags = try reader.byte()
        guard flags & ~RunFlag.all == 0 else { throw .unknownTag("run flag", UInt64(flags)) }
        let device =
            flags & RunFlag.device != 0 ? try reader.identifier(DeviceID.self) : sender
        let branch =
            flags & RunFlag.branch != 0 ? try reader.identifier(BranchName.self) : .main
        let epoch = flags & RunFlag.epoch != 0 ? try reader.varint() : 0
        guard flags & RunFlag.device == 0 || device != sender,
            flags & RunFlag.branch == 0 || branch != .main,
            flags & RunFlag.epoch == 0 || epoch != 0
        else { throw .notCanonical("a run's flags") }
        let firstNumber = try reader.batchNumber()
        var dictionary = try RunDictionary(from: &reader)
        let count = try reader.count("a run's batches", limit: Limits.runBatchesMax)
        guard count > 0 else { throw .notCanonical("an empty run") }
        guard firstNumber + UInt64(count - 1) <= Limits.batchNumberMax else {
            throw .overLimit("a batch number", limit: Int(Limits.batchNumberMax))
        }
        var batches: [Link] = []
        var before = Stamp(.min)
        for _ in 0..<count {
            before = try Stamp(from: &reader, after: before)
            batches.append(
                Link(stamp: before, content: try BatchContent(from: &reader, &dictionary)))
        }
        guard dictionary.isExhausted else { throw .notCanonical("an unused id") }
        guard let signature = Signature(try reader.bytes(Signature.bytesCount)) else {
            throw .truncated
        }
        self.init(
            log: LogName(device: device, branch: branch), firstNumber: firstNumber, epoch: epoch,
            batches: batches, signature: signature)
    }
}

/// The entities of a run with their collections, in the order of first use.
private struct RunDictionary {
    private struct Key: Hashable {
        let collection: CollectionID
        let entity: EntityID
    }

    private var entries: [Key] = []
    private var indexes: [Key: Int] = [:]
    /// The number of entries used so far by a reader; the next new entry must have this index.
    private var usedCount = 0

    init(_ batches: [Run.Link]) {
        for batch in batches {
            for operation in batch.body?.operations ?? [] {
                let key = Key(collection: operation.collection, entity: operation.entity)
                if indexes[key] == nil {
                    indexes[key] = entries.count
                    entries.append(key)
                }
            }
        }
    }

    var isExhausted: Bool { usedCount == entries.count }

    func index(_ operation: Operation) -> Int {
        indexes[Key(collection: operation.collection, entity: operation.entity)] ?? 0
    }

    /// Returns the entry at an index that was read, and checks that first uses are in order.
    mutating func resolve(_ index: Int) throws(RecordFault) -> (CollectionID, EntityID) {
        guard index <= usedCount, index < entries.count else {
            throw .notCanonical("the order of a run's ids")
        }
        if index == usedCount { usedCount += 1 }
        return (entries[index].collection, entries[index].entity)
    }

    func encode(into bytes: inout [UInt8]) {
        var collections: [CollectionID] = []
        var numbers: [CollectionID: Int] = [:]
        for entry in entries where numbers[entry.collection] == nil {
            numbers[entry.collection] = collections.count
            collections.append(entry.collection)
        }
        bytes.append(varint: UInt64(collections.count))
        for collection in collections { bytes.append(bigEndian: collection.rawValue) }
        bytes.append(varint: UInt64(entries.count))
        for entry in entries {
            bytes.append(varint: UInt64(numbers[entry.collection] ?? 0))
            entry.entity.raw.append(to: &bytes)
        }
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        let collectionCount = try reader.count("collections", limit: reader.remaining / 4)
        var collections: [CollectionID] = []
        var known: Set<CollectionID> = []
        for _ in 0..<collectionCount {
            let collection = CollectionID(rawValue: try reader.integer(UInt32.self))
            guard known.insert(collection).inserted else {
                throw .notCanonical("a collection named twice")
            }
            collections.append(collection)
        }
        var seen = 0
        for _ in 0..<(try reader.count("a run's ids", limit: reader.remaining / 17)) {
            let number = try reader.count("a collection's index", limit: collectionCount)
            guard number <= seen, number < collectionCount else {
                throw .notCanonical("the order of a run's collections")
            }
            if number == seen { seen += 1 }
            let entity = try reader.identifier(EntityID.self)
            let key = Key(collection: collections[number], entity: entity)
            guard indexes.updateValue(entries.count, forKey: key) == nil else {
                throw .notCanonical("an id named twice")
            }
            entries.append(key)
        }
        guard seen == collectionCount else { throw .notCanonical("an unused collection") }
    }
}

extension BatchContent {
    fileprivate func encode(into bytes: inout [UInt8], _ dictionary: RunDictionary) {
        switch self {
        case .body(let body): body.encode(into: &bytes, dictionary)
        case .erased: bytes.append(contentsOf: encoded)
        }
    }

    fileprivate init(
        from reader: inout ByteReader, _ dictionary: inout RunDictionary
    ) throws(RecordFault) {
        let kind = try reader.byte()
        guard kind == BatchContent.erasedKind else {
            self = .body(try BatchBody(kind: kind, from: &reader, &dictionary))
            return
        }
        self = try BatchContent.erased(from: &reader)
    }
}

extension BatchBody {
    fileprivate func encode(into bytes: inout [UInt8], _ dictionary: RunDictionary) {
        bytes.append(salt == nil ? 0 : 1)
        salt?.append(to: &bytes)
        let groups = groups
        bytes.append(varint: UInt64(groups.count))
        for group in groups {
            bytes.append(varint: UInt64(dictionary.index(operations[group.lowerBound])))
            bytes.append(varint: UInt64(group.count))
            for operation in operations[group] { operation.action.encode(into: &bytes) }
        }
    }

    fileprivate init(
        kind: UInt8, from reader: inout ByteReader, _ dictionary: inout RunDictionary
    ) throws(RecordFault) {
        let salt = try BatchBody.salt(kind: kind, from: &reader)
        let groupCount = try reader.count("groups", limit: Limits.batchOperationsMax)
        guard groupCount > 0 else { throw .notCanonical("a batch without operations") }
        var operations: [Operation] = []
        var encoded = BatchBody.head(salt)
        for _ in 0..<groupCount {
            let index = try reader.count("an id's index", limit: Limits.frameBytesMax)
            let (collection, entity) = try dictionary.resolve(index)
            if let last = operations.last, last.collection == collection, last.entity == entity {
                throw .notCanonical("a group split in two")
            }
            let start = reader.position
            try BatchBody.readGroup(collection, entity, &reader, into: &operations)
            // From its count on, a group has the same bytes in a run and in the canonical body.
            encoded.append(group: collection, entity)
            encoded.append(contentsOf: reader.slice(from: start))
        }
        self.init(operations, salt: salt, encoded: encoded)
        guard encoded.count <= Limits.batchBodyBytesMax else {
            throw .overLimit("a batch's bytes", limit: Limits.batchBodyBytesMax)
        }
    }
}

extension Stamp {
    /// The milliseconds since 1970, as the codec counts them.
    private var milliseconds: UInt64 { rawValue >> 16 }

    /// Appends the milliseconds since the previous stamp, then the counter.
    fileprivate func encode(into bytes: inout [UInt8], after before: Stamp) {
        bytes.append(varint: milliseconds - before.milliseconds)
        bytes.append(varint: UInt64(counter))
    }

    fileprivate init(from reader: inout ByteReader, after before: Stamp) throws(RecordFault) {
        let delta = try reader.varint()
        let counter = try reader.count("a stamp's counter", limit: Int(UInt16.max))
        let (milliseconds, overflow) = before.milliseconds.addingReportingOverflow(delta)
        guard !overflow, milliseconds <= Stamp.max.milliseconds,
            let stamp = Stamp(rawValue: milliseconds << 16 | UInt64(counter))
        else { throw .notCanonical("a stamp of 2⁶³ or more") }
        self = stamp
    }
}
