/// What a batch's author signs: its place in the chain, its time and the hash of its body.
public struct BatchHeader: Hashable, Sendable {
    public let space: SpaceID
    public let log: LogName
    /// 1, 2, 3 … without gaps.
    public let number: UInt64
    /// The hash of the header before, or ``BatchHash/none`` at number 1.
    public let previous: BatchHash
    /// How many membership changes of the space the author had applied.
    public let epoch: UInt64
    public let stamp: Stamp
    public let bodyHash: Bytes32

    /// The format's version, the header's first byte.
    public static let version: UInt8 = 1
    /// Every header has this many bytes.
    public static let encodedBytesCount = 185

    /// Names the parts of a header.
    public init(
        space: SpaceID, log: LogName, number: UInt64, previous: BatchHash, epoch: UInt64,
        stamp: Stamp, bodyHash: Bytes32
    ) {
        self.space = space
        self.log = log
        self.number = number
        self.previous = previous
        self.epoch = epoch
        self.stamp = stamp
        self.bodyHash = bodyHash
    }

    /// Version, space, device, branch, number, previous, epoch, stamp and body hash, all of fixed
    /// length, integers with the most significant byte first.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(BatchHeader.encodedBytesCount)
        encode(into: &bytes)
        return bytes
    }

    /// Appends the encoding.
    func encode(into bytes: inout [UInt8]) {
        bytes.append(BatchHeader.version)
        space.raw.append(to: &bytes)
        log.device.raw.append(to: &bytes)
        log.branch.raw.append(to: &bytes)
        bytes.append(bigEndian: number)
        previous.raw.append(to: &bytes)
        bytes.append(bigEndian: epoch)
        bytes.append(bigEndian: stamp.rawValue)
        bodyHash.append(to: &bytes)
    }

    /// Decodes exactly one header.
    public init(decoding bytes: [UInt8]) throws(RecordFault) {
        var reader = ByteReader(bytes)
        let version = try reader.byte()
        guard version == BatchHeader.version else { throw .unknownVersion(version) }
        space = try reader.identifier(SpaceID.self)
        let device = try reader.identifier(DeviceID.self)
        log = LogName(device: device, branch: try reader.identifier(BranchName.self))
        number = try reader.integer(UInt64.self)
        guard (1...Limits.batchNumberMax).contains(number) else {
            throw .overLimit("a batch number", limit: Int(Limits.batchNumberMax))
        }
        previous = try reader.identifier(BatchHash.self)
        epoch = try reader.integer(UInt64.self)
        guard let stamp = Stamp(rawValue: try reader.integer(UInt64.self)) else {
            throw .notCanonical("a stamp of 2⁶³ or more")
        }
        self.stamp = stamp
        guard let hash = Bytes32(try reader.bytes(32)) else { throw .truncated }
        bodyHash = hash
        try reader.finish()
    }

    /// The batch's name.
    public var hash: BatchHash { BatchHash(raw: Digest.header.hash(encoded)) }

    /// What the author's key signs: the purpose's prefix and the header's hash.
    public var signedBytes: [UInt8] { BatchHeader.signedBytes(of: hash) }

    /// What the author's key signs for the batch of this hash.
    public static func signedBytes(of hash: BatchHash) -> [UInt8] {
        Digest.batchSignature.prefix + hash.bytes
    }
}

extension Dot {
    /// The dot that one operation of a batch is.
    public init(batch: BatchHash, operationIndex: Int) {
        var bytes = batch.bytes
        bytes.append(bigEndian: UInt32(truncatingIfNeeded: operationIndex))
        self.init(raw: Bytes16(prefixOf: Digest.dot.hash(bytes)))
    }
}
