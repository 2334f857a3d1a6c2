public import Records

/// Asks for content of an open space: the receiver says when it has some of it, and may ask others.
public struct Seek: Hashable, Sendable {
    /// The sender's channel number of the space.
    public var channel: UInt64
    /// The number of further links over which the question may go on, less than
    /// ``Limits/contentHopsMax``.
    public var hops: Int
    /// The content, in ascending order of the hashes; 1 to ``Limits/soughtBlobsMax``.
    public var blobs: [SoughtBlob]

    /// Creates a message from its fields; the content may be in any order.
    public init(channel: UInt64, hops: Int, blobs: [SoughtBlob]) {
        self.channel = channel
        self.hops = hops
        self.blobs = blobs.sorted { $0.hash < $1.hash }
    }
}

/// Says that the sender has content for which the receiver asked.
public struct Found: Hashable, Sendable {
    /// The sender's channel number of the space.
    public var channel: UInt64
    /// The hashes in ascending order; 1 to ``Limits/soughtBlobsMax``.
    public var hashes: [BlobHash]

    /// Creates a message from its fields; the hashes may be in any order.
    public init(channel: UInt64, hashes: [BlobHash]) {
        self.channel = channel
        self.hashes = hashes.sorted()
    }
}

extension Seek {
    func encode(into bytes: inout [UInt8]) {
        bytes.append(varint: channel)
        bytes.append(UInt8(clamping: hops))
        bytes.append(varint: UInt64(blobs.count))
        for blob in blobs {
            blob.hash.raw.append(to: &bytes)
            bytes.append(varint: UInt64(clamping: blob.bytesCount))
        }
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        channel = try reader.varint()
        hops = Int(try reader.byte())
        guard hops < Limits.contentHopsMax else {
            throw .overLimit("the hops of a question", limit: Limits.contentHopsMax - 1)
        }
        let count = try reader.count("sought content", limit: Limits.soughtBlobsMax)
        guard count > 0 else { throw .notCanonical("a question for no content") }
        blobs = []
        for _ in 0..<count {
            let hash = try reader.identifier(BlobHash.self)
            if let last = blobs.last, !(last.hash < hash) {
                throw .notCanonical("the order of sought content")
            }
            let bytesCount = try reader.count("a blob's size", limit: Limits.blobBytesMax)
            guard bytesCount > 0 else { throw .notCanonical("an empty blob") }
            blobs.append(SoughtBlob(hash: hash, bytesCount: bytesCount))
        }
    }
}

extension Found {
    func encode(into bytes: inout [UInt8]) {
        bytes.append(varint: channel)
        bytes.append(varint: UInt64(hashes.count))
        for hash in hashes { hash.raw.append(to: &bytes) }
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        channel = try reader.varint()
        let count = try reader.count("found content", limit: Limits.soughtBlobsMax)
        guard count > 0 else { throw .notCanonical("an answer about no content") }
        hashes = []
        for _ in 0..<count {
            let hash = try reader.identifier(BlobHash.self)
            if let last = hashes.last, !(last < hash) {
                throw .notCanonical("the order of found content")
            }
            hashes.append(hash)
        }
    }
}

extension Limits {
    /// The number of blobs that one SEEK or FOUND names.
    public static let soughtBlobsMax = 64
}
