internal import PluginKit

/// The messages on the direct topic `posts`. docs/protocol.md describes their bytes: a version byte
/// (1), a kind byte and the parts.
///
/// Every message may be lost, repeated or late without harm.
enum CorrespondenceMessage: Hashable, Sendable {
    /// A request as a signed statement, and its sender's nickname. A device of the receiver passes
    /// it on to the receiver's other devices.
    case request([UInt8], name: String?)
    /// "My fact names this request, and I have not ended it."
    case holds(Bytes16)
    /// "This is over."
    case over(Bytes16)
    /// "I know that this is over": an answer, which is not answered.
    case known(Bytes16)

    /// The version of the encoding.
    static let version: UInt8 = 1
    /// The length of a name, in bytes.
    static let nameBytesMax = 512

    private enum Kind: UInt8 {
        case request = 1
        case holds = 2
        case over = 3
        case known = 4
    }

    /// The message's bytes.
    var encoded: [UInt8] {
        switch self {
        case .request(let statement, let name):
            var bytes = [Self.version, Kind.request.rawValue]
            bytes.append(varint: UInt64(statement.count))
            bytes += statement
            let text = Array((name ?? "").utf8.prefix(Self.nameBytesMax))
            bytes.append(varint: UInt64(text.count))
            return bytes + text
        case .holds(let id): return [Self.version, Kind.holds.rawValue] + id.bytes
        case .over(let id): return [Self.version, Kind.over.rawValue] + id.bytes
        case .known(let id): return [Self.version, Kind.known.rawValue] + id.bytes
        }
    }

    /// The signed statement of a request.
    var statement: [UInt8]? {
        guard case .request(let statement, _) = self else { return nil }
        return statement
    }

    /// Reads exactly one message.
    /// - Throws: ``RecordFault``, in the order version, kind, parts, left-over bytes.
    init(decoding bytes: [UInt8]) throws(RecordFault) {
        var reader = ByteReader(bytes)
        let version = try reader.byte()
        guard version == Self.version else { throw .unknownVersion(version) }
        let tag = try reader.byte()
        guard let kind = Kind(rawValue: tag) else {
            throw .unknownTag("message of posts", UInt64(tag))
        }
        switch kind {
        case .request:
            let count = try reader.count(
                "a statement's bytes", limit: AgreementFact.proofBytesMax)
            let statement = Array(try reader.bytes(count))
            let name = try reader.text("a name's bytes", limit: Self.nameBytesMax)
            self = .request(statement, name: name.isEmpty ? nil : name)
        case .holds: self = .holds(try Self.id(&reader))
        case .over: self = .over(try Self.id(&reader))
        case .known: self = .known(try Self.id(&reader))
        }
        try reader.finish()
    }

    private static func id(_ reader: inout ByteReader) throws(RecordFault) -> Bytes16 {
        guard let id = Bytes16(try reader.bytes(16)) else { throw .truncated }
        return id
    }
}
