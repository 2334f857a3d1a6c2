public import PluginKit

/// The messages that two sides of a drop exchange on the direct topic `drop`.
///
/// A message is a version byte (1), a kind byte and the parts; docs/protocol.md describes the
/// bytes. Every message may be lost, repeated or late without harm.
public enum DropMessage: Hashable, Sendable {
    /// "I pressed, and want a drop with you." The commitment also identifies this press.
    case offer(commitment: Bytes32)
    /// "We have met": an offer that counts only for a side that has pressed for the sender too, and
    /// that shows nothing otherwise.
    case bump(commitment: Bytes32)
    /// The nonce of the commitment, sent only after the other's commitment was received.
    case reveal(id: Bytes16, nonce: Bytes32)
    /// The encoded card; it has no fields if nothing is shared.
    case card(id: Bytes16, [UInt8])
    /// The state of the sender, which also shows that it is alive.
    case state(id: Bytes16, DropState)
    /// The drop is over. The commitment is that of either side.
    case end(commitment: Bytes32, EndReason)
    /// The thumbnail of the sender's photo, for a side whose card says that it reads thumbnails. It
    /// is a JPEG if the sender is honest, and is decoded in a worker only.
    case thumbnail(id: Bytes16, [UInt8])

    /// The reason why a side ended it.
    public enum EndReason: UInt8, Hashable, Sendable {
        case cancelled = 1
        case declined = 2
        case failed = 3
    }

    /// Whether it begins a drop.
    public var isOpening: Bool {
        switch self {
        case .offer, .bump: true
        case .reveal, .card, .state, .end, .thumbnail: false
        }
    }

    /// The version of the encoding.
    public static let version: UInt8 = 1

    /// The message's bytes.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = [Self.version]
        switch self {
        case .offer(let commitment):
            bytes.append(1)
            commitment.append(to: &bytes)
        case .bump(let commitment):
            bytes.append(7)
            commitment.append(to: &bytes)
        case .reveal(let id, let nonce):
            bytes.append(2)
            id.append(to: &bytes)
            nonce.append(to: &bytes)
        case .card(let id, let card):
            bytes.append(3)
            id.append(to: &bytes)
            bytes.append(contentsOf: card)
        case .state(let id, let state):
            bytes.append(4)
            id.append(to: &bytes)
            bytes.append(state.encoded)
        case .end(let commitment, let reason):
            bytes.append(5)
            commitment.append(to: &bytes)
            bytes.append(reason.rawValue)
        case .thumbnail(let id, let thumbnail):
            bytes.append(6)
            id.append(to: &bytes)
            bytes.append(contentsOf: thumbnail)
        }
        return bytes
    }

    /// Reads exactly one message.
    /// - Throws: ``RecordFault``, in the order version, kind, parts, left-over bytes.
    public init(decoding bytes: [UInt8]) throws(RecordFault) {
        var reader = ByteReader(bytes)
        let version = try reader.byte()
        guard version == Self.version else { throw .unknownVersion(version) }
        switch try reader.byte() {
        case 1: self = .offer(commitment: try Self.bytes32(&reader))
        case 2:
            self = .reveal(id: try Self.bytes16(&reader), nonce: try Self.bytes32(&reader))
        case 3:
            let id = try Self.bytes16(&reader)
            guard reader.remaining <= DropLimits.cardBytesMax else {
                throw .overLimit("a card's bytes", limit: DropLimits.cardBytesMax)
            }
            self = .card(id: id, Array(try reader.bytes(reader.remaining)))
        case 4:
            self = .state(
                id: try Self.bytes16(&reader), try DropState(decoding: try reader.byte()))
        case 5:
            let commitment = try Self.bytes32(&reader)
            let tag = try reader.byte()
            guard let reason = EndReason(rawValue: tag) else {
                throw .unknownTag("end of a drop", UInt64(tag))
            }
            self = .end(commitment: commitment, reason)
        case 6:
            let id = try Self.bytes16(&reader)
            guard reader.remaining > 0 else { throw .truncated }
            guard reader.remaining <= DropLimits.thumbnailBytesMax else {
                throw .overLimit("a thumbnail's bytes", limit: DropLimits.thumbnailBytesMax)
            }
            self = .thumbnail(id: id, Array(try reader.bytes(reader.remaining)))
        case 7: self = .bump(commitment: try Self.bytes32(&reader))
        case let kind: throw .unknownTag("drop message", UInt64(kind))
        }
        try reader.finish()
    }

    private static func bytes16(_ reader: inout ByteReader) throws(RecordFault) -> Bytes16 {
        guard let bytes = Bytes16(try reader.bytes(16)) else { throw .truncated }
        return bytes
    }

    private static func bytes32(_ reader: inout ByteReader) throws(RecordFault) -> Bytes32 {
        guard let bytes = Bytes32(try reader.bytes(32)) else { throw .truncated }
        return bytes
    }
}

/// The state of one side, in one byte: bit 0, "I have your card"; bits 1 and 2, my answer; bit 3,
/// "I have seen your answer"; bit 4, "reply whether you have seen mine"; bit 5, "I have your
/// thumbnail", which only a side sets that received one.
public struct DropState: Hashable, Sendable {
    /// The acknowledgement of the other's card.
    public var hasYourCard: Bool
    /// The sender's answer to the other's card, if there is one yet.
    public var answer: DropAnswer?
    /// The acknowledgement of the other's answer.
    public var sawYourAnswer: Bool
    /// Whether a reply is wanted; a reply to a reply is never wanted twice.
    public var asks: Bool
    /// The acknowledgement of the other's thumbnail.
    public var hasYourThumbnail: Bool

    /// Names the parts.
    public init(
        hasYourCard: Bool, answer: DropAnswer? = nil, sawYourAnswer: Bool = false,
        asks: Bool = false, hasYourThumbnail: Bool = false
    ) {
        self.hasYourCard = hasYourCard
        self.answer = answer
        self.sawYourAnswer = sawYourAnswer
        self.asks = asks
        self.hasYourThumbnail = hasYourThumbnail
    }

    var encoded: UInt8 {
        (hasYourCard ? 1 : 0) | (answer?.rawValue ?? 0) << 1 | (sawYourAnswer ? 8 : 0)
            | (asks ? 16 : 0) | (hasYourThumbnail ? 32 : 0)
    }

    init(decoding byte: UInt8) throws(RecordFault) {
        let answer = byte >> 1 & 3
        guard byte < 64, answer < 3 else { throw .unknownTag("state of a drop", UInt64(byte)) }
        self.init(
            hasYourCard: byte & 1 != 0, answer: DropAnswer(rawValue: answer),
            sawYourAnswer: byte & 8 != 0,
            asks: byte & 16 != 0, hasYourThumbnail: byte & 32 != 0)
    }
}

/// The answer of a person to the other's card.
public enum DropAnswer: UInt8, Hashable, Sendable {
    case accept = 1
    case decline = 2
}
