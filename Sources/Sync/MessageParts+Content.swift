public import Records

/// Asks for a piece of the content of a blob, or names the piece that is answered.
public struct ContentRequest: Hashable, Sendable {
    /// The channel number that the asking side has for the space, in the answer too.
    public var channel: UInt64
    /// The hash of the whole content.
    public var hash: BlobHash
    /// The number of bytes before the piece.
    public var offset: Int

    /// Creates a request from its fields.
    public init(channel: UInt64, hash: BlobHash, offset: Int) {
        self.channel = channel
        self.hash = hash
        self.offset = offset
    }
}

/// A piece of the content of a blob: the answer to a request.
public struct ContentPiece: Hashable, Sendable {
    /// The request.
    public var request: ContentRequest
    /// The bytes, at least one; ``Limits/blobPieceBytes`` unless the content ends here.
    public var bytes: [UInt8]

    /// Creates an answer from its fields.
    public init(request: ContentRequest, bytes: [UInt8]) {
        self.request = request
        self.bytes = bytes
    }
}

extension ContentRequest {
    func encode(into bytes: inout [UInt8]) {
        bytes.append(varint: channel)
        hash.raw.append(to: &bytes)
        bytes.append(varint: UInt64(clamping: offset))
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        channel = try reader.varint()
        hash = try reader.identifier(BlobHash.self)
        offset = try reader.count("the place of a piece", limit: Limits.blobBytesMax - 1)
    }
}

extension ContentPiece {
    func encode(into bytes: inout [UInt8]) {
        request.encode(into: &bytes)
        bytes.append(block: self.bytes)
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        request = try ContentRequest(from: &reader)
        bytes = try reader.block("a piece of content", limit: Limits.blobPieceBytes)
        guard !bytes.isEmpty else { throw .notCanonical("an empty piece of content") }
    }
}
