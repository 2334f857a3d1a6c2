/// The part of a batch that its author signs: its position in the log, its time and its body's
/// hash.
public struct BatchHeader: Hashable, Sendable {
    /// The space the batch belongs to.
    public let space: SpaceID
    /// The log the batch belongs to.
    public let log: LogName
    /// The batch's number in its log: 1, 2, 3 … without gaps.
    public let number: UInt64
    /// The hash of the previous header, or ``BatchHash/none`` at number 1.
    public let previous: BatchHash
    /// The number of membership changes of the space that the author had applied.
    public let epoch: UInt64
    /// The time of writing, later than the previous batch's.
    public let stamp: Stamp
    /// `H("body", body)`, also after the body was erased.
    public let bodyHash: Bytes32

    /// The format version, which is the header's first byte.
    public static let version: UInt8 = 1
    /// The length of every header, in bytes.
    public static let encodedBytesCount = 185

    /// Creates a header from its fields.
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

    /// Version, space, device, branch, number, previous, epoch, stamp and body hash. All have a
    /// fixed length; integers are big-endian.
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

    /// The hash that identifies the batch.
    public var hash: BatchHash { BatchHash(raw: Digest.header.hash(encoded)) }

    /// The bytes the author's key signs: the purpose's prefix and the header's hash.
    public var signedBytes: [UInt8] { BatchHeader.signedBytes(of: hash) }

    /// Returns the bytes the author's key signs for the batch with this hash.
    public static func signedBytes(of hash: BatchHash) -> [UInt8] {
        Digest.batchSignature.prefix + hash.bytes
    }
}

extension Dot {
    /// Derives the dot of one operation of a batch.
    public init(batch: BatchHash, operationIndex: Int) {
        var bytes = batch.bytes
        bytes.append(bigEndian: UInt32(truncatingIfNeeded: operationIndex))
        self.init(raw: Bytes16(prefixOf: Digest.dot.hash(bytes)))
    }
}
