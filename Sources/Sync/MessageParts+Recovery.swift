internal import Identity
internal import Records

// The messages of a device that comes back by recovery words.

extension RecoveryQuestion {
    func encode(into bytes: inout [UInt8]) {
        key.append(to: &bytes)
        bytes += signature.bytes
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        guard let key = Bytes32(try reader.bytes(32)),
            let signature = Signature(try reader.bytes(Signature.bytesCount))
        else { throw .truncated }
        self.init(key: key, signature: signature)
    }
}

extension SpacePage {
    /// The length of the longest descriptor that a page may have, in bytes: that of a pair.
    private static let descriptorBytesMax = 65

    func encode(into bytes: inout [UInt8]) {
        bytes.append(hasMore ? 1 : 0)
        bytes.append(varint: UInt64(spaces.count))
        for space in spaces { bytes.append(block: space.encoded) }
    }

    init(from reader: inout ByteReader) throws(RecordFault) {
        let tag = try reader.byte()
        guard tag <= 1 else { throw .unknownTag("page", UInt64(tag)) }
        hasMore = tag == 1
        let count = try reader.count("spaces", limit: Limits.pageSpacesMax)
        guard count > 0 || !hasMore else { throw .notCanonical("an empty page") }
        spaces = []
        var last: SpaceID?
        for _ in 0..<count {
            let space = try SpaceDescriptor(
                decoding: try reader.block("a space", limit: SpacePage.descriptorBytesMax))
            guard space.isRegained else { throw .notCanonical("the kind of a space") }
            let id = space.id
            if let last, !(last < id) { throw .notCanonical("the order of spaces") }
            last = id
            spaces.append(space)
        }
    }
}
