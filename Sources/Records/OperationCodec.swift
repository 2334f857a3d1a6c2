// The encoding of an operation within its group: a key, `field << 3 | verb`, then the verb's
// arguments. Field 0 is the entity itself and has its own verbs.

private enum Verb {
    static let set: UInt64 = 0
    static let add: UInt64 = 1
    static let remove: UInt64 = 2
    static let count: UInt64 = 3
}

private enum EntityVerb {
    static let create: UInt64 = 0
    static let createOwn: UInt64 = 1
    static let grant: UInt64 = 2
    static let accept: UInt64 = 3
    static let cut: UInt64 = 4
    static let erase: UInt64 = 5
}

extension Operation.Action {
    /// Appends the one encoding of this action.
    func encode(into bytes: inout [UInt8]) {
        switch self {
        case .create(let nonce):
            bytes.append(varint: EntityVerb.create)
            nonce.append(to: &bytes)
        case .createOwn: bytes.append(varint: EntityVerb.createOwn)
        case .set(let field, let value):
            bytes.append(varint: field << 3 | Verb.set)
            value.encode(into: &bytes)
        case .add(let field, let value):
            bytes.append(varint: field << 3 | Verb.add)
            value.encode(into: &bytes)
        case .remove(let field, let dots):
            bytes.append(varint: field << 3 | Verb.remove)
            bytes.append(varint: UInt64(dots.count))
            for dot in dots { dot.raw.append(to: &bytes) }
        case .count(let field, let delta):
            bytes.append(varint: field << 3 | Verb.count)
            bytes.append(zigzag: delta)
        case .grant(let person, let role):
            bytes.append(varint: EntityVerb.grant)
            person.raw.append(to: &bytes)
            bytes.append(role.rawValue)
        case .accept: bytes.append(varint: EntityVerb.accept)
        case .cut(let person, let heads):
            bytes.append(varint: EntityVerb.cut)
            person.raw.append(to: &bytes)
            bytes.append(varint: UInt64(heads.count))
            for head in heads { head.encode(into: &bytes) }
        case .erase(let batch):
            bytes.append(varint: EntityVerb.erase)
            batch.encode(into: &bytes)
        }
    }

    /// Reads one action. Control verbs are accepted only in the control collection, and other verbs
    /// only outside it.
    init(from reader: inout ByteReader, isControl: Bool) throws(RecordFault) {
        let key = try reader.varint()
        let field = key >> 3
        guard field <= Limits.fieldNumberMax else {
            throw .overLimit("a field number", limit: Int(Limits.fieldNumberMax))
        }
        if field == 0 {
            self = try Self.entityAction(verb: key & 7, &reader, isControl: isControl)
        } else if isControl {
            throw .unknownTag("control operation", key)
        } else {
            self = try Self.fieldAction(verb: key & 7, field: field, &reader)
        }
    }

    private static func entityAction(
        verb: UInt64, _ reader: inout ByteReader, isControl: Bool
    ) throws(RecordFault) -> Self {
        switch (verb, isControl) {
        case (EntityVerb.create, false):
            guard let nonce = Bytes16(try reader.bytes(16)) else { throw .truncated }
            return .create(nonce: nonce)
        case (EntityVerb.createOwn, false): return .createOwn
        case (EntityVerb.grant, true):
            let person = try reader.identifier(PersonID.self)
            let tag = try reader.byte()
            guard let role = Role(rawValue: tag) else { throw .unknownTag("role", UInt64(tag)) }
            return .grant(person, role)
        case (EntityVerb.accept, true): return .accept
        case (EntityVerb.cut, true):
            let person = try reader.identifier(PersonID.self)
            let count = try reader.count("a cut's logs", limit: Limits.cutsMax)
            var heads: [LogHead] = []
            for _ in 0..<count {
                let head = try LogHead(from: &reader)
                if let last = heads.last, !(last < head) { throw .notCanonical("a cut's order") }
                heads.append(head)
            }
            return .cut(person, heads)
        case (EntityVerb.erase, true): return .erase(try LogHead(from: &reader))
        default: throw .unknownTag("entity operation", verb)
        }
    }

    private static func fieldAction(
        verb: UInt64, field: UInt64, _ reader: inout ByteReader
    ) throws(RecordFault) -> Self {
        switch verb {
        case Verb.set: return .set(field: field, try Value(from: &reader))
        case Verb.add: return .add(field: field, try Value(from: &reader))
        case Verb.remove:
            let count = try reader.count("a removal's dots", limit: Limits.dotsMax)
            guard count > 0 else { throw .notCanonical("a removal of nothing") }
            var dots: [Dot] = []
            for _ in 0..<count {
                let dot = try reader.identifier(Dot.self)
                if let last = dots.last, !(last < dot) { throw .notCanonical("a removal's order") }
                dots.append(dot)
            }
            return .remove(field: field, dots)
        case Verb.count: return .count(field: field, try reader.zigzag())
        default: throw .unknownTag("operation", verb)
        }
    }
}

extension LogHead {
    /// Appends device, branch, number and hash.
    func encode(into bytes: inout [UInt8]) {
        log.device.raw.append(to: &bytes)
        log.branch.raw.append(to: &bytes)
        bytes.append(varint: number)
        hash.raw.append(to: &bytes)
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        let device = try reader.identifier(DeviceID.self)
        let branch = try reader.identifier(BranchName.self)
        let number = try reader.batchNumber()
        let hash = try reader.identifier(BatchHash.self)
        self.init(log: LogName(device: device, branch: branch), number: number, hash: hash)
    }
}

extension ByteReader {
    /// Reads a batch number from 1 to ``Limits/batchNumberMax``.
    mutating func batchNumber() throws(RecordFault) -> UInt64 {
        let number = try varint()
        guard (1...Limits.batchNumberMax).contains(number) else {
            throw .overLimit("a batch number", limit: Int(Limits.batchNumberMax))
        }
        return number
    }
}
