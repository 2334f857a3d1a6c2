internal import PluginKit

/// The messages on the direct topic `matching`. docs/protocol.md describes their bytes: a version
/// byte (1), a kind byte and the parts.
///
/// Every message may be lost, repeated or late without harm.
enum MatchMessage: Hashable, Sendable {
    /// The sender's card.
    case card(MatchCard)
    /// The sender has stopped looking.
    case quiet
    /// "I would like to match with you", with the sender's nickname.
    case request(MatchID, name: String?)
    /// "I accept this request; the match has this id."
    case accept(request: MatchID, match: MatchID)
    /// "My fact names this match."
    case confirm(MatchID)
    /// "This request, acceptance or match is over for me, for good."
    case over(MatchID, MatchEnd)
    /// Asks for the reviews that the receiver shows, beginning with this one.
    case askReviews(from: UInt8)
    /// A review that the sender received and shows: its number, the number of all, and the proof.
    case shownReview(UInt8, count: UInt8, proof: [UInt8])
    /// A review of the receiver, as a signed statement.
    case review([UInt8])
    /// "I have stored your review of this match."
    case hasReview(MatchID)

    /// The version of the encoding.
    static let version: UInt8 = 1
    /// The length of a name, in bytes.
    static let nameBytesMax = 512

    private init(_ request: MatchID, _ match: MatchID) {
        self = .accept(request: request, match: match)
    }

    /// Names the parts of an acceptance.
    static func accept(_ request: MatchID, _ match: MatchID) -> MatchMessage {
        MatchMessage(request, match)
    }
}

/// The reason why a request, an acceptance or a match is over for its sender.
enum MatchEnd: UInt8, Hashable, Sendable {
    /// Taken back.
    case withdrawn = 1
    /// Declined.
    case declined = 2
    /// The sender has a match.
    case matched = 3
    /// The sender does not look.
    case notSeeking = 4
    /// The acceptance was not confirmed within 60 s.
    case lapsed = 5
    /// The match was ended.
    case ended = 6
    /// The sender does not hold the match: an answer, which is not answered.
    case known = 7
    /// The sender could not store it, or remembers too many.
    case failed = 8
}

extension MatchMessage {
    private enum Kind: UInt8 {
        case card = 1
        case quiet = 2
        case request = 3
        case accept = 4
        case confirm = 5
        case over = 6
        case askReviews = 7
        case shownReview = 8
        case review = 9
        case hasReview = 10
    }

    private var kind: Kind {
        switch self {
        case .card: .card
        case .quiet: .quiet
        case .request: .request
        case .accept: .accept
        case .confirm: .confirm
        case .over: .over
        case .askReviews: .askReviews
        case .shownReview: .shownReview
        case .review: .review
        case .hasReview: .hasReview
        }
    }

    /// The message's bytes.
    var encoded: [UInt8] {
        var bytes = [Self.version, kind.rawValue]
        switch self {
        case .card(let card): bytes += card.encoded
        case .quiet: break
        case .request(let id, let name):
            bytes += id.raw.bytes
            let text = Array((name ?? "").utf8.prefix(Self.nameBytesMax))
            bytes.append(varint: UInt64(text.count))
            bytes += text
        case .accept(let request, let match): bytes += request.raw.bytes + match.raw.bytes
        case .confirm(let match), .hasReview(let match): bytes += match.raw.bytes
        case .over(let id, let reason): bytes += id.raw.bytes + [reason.rawValue]
        case .askReviews(let first): bytes.append(first)
        case .shownReview(let index, let count, let proof): bytes += [index, count] + proof
        case .review(let statement): bytes += statement
        }
        return bytes
    }

    /// Reads exactly one message.
    /// - Throws: ``RecordFault``, in the order version, kind, parts, left-over bytes.
    init(decoding bytes: [UInt8]) throws(RecordFault) {
        var reader = ByteReader(bytes)
        let version = try reader.byte()
        guard version == Self.version else { throw .unknownVersion(version) }
        let tag = try reader.byte()
        guard let kind = Kind(rawValue: tag) else {
            throw .unknownTag("matching message", UInt64(tag))
        }
        switch kind {
        case .card: self = .card(try MatchCard(from: &reader))
        case .quiet: self = .quiet
        case .request:
            let id = try Self.id(&reader)
            let name = try reader.text("a name's bytes", limit: Self.nameBytesMax)
            self = .request(id, name: name.isEmpty ? nil : name)
        case .accept: self = .accept(request: try Self.id(&reader), match: try Self.id(&reader))
        case .confirm: self = .confirm(try Self.id(&reader))
        case .over:
            let id = try Self.id(&reader)
            let tag = try reader.byte()
            guard let reason = MatchEnd(rawValue: tag) else {
                throw .unknownTag("end in matching", UInt64(tag))
            }
            self = .over(id, reason)
        case .askReviews: self = .askReviews(from: try reader.byte())
        case .shownReview:
            let (index, count) = (try reader.byte(), try reader.byte())
            self = .shownReview(index, count: count, proof: try Self.rest(&reader))
        case .review: self = .review(try Self.rest(&reader))
        case .hasReview: self = .hasReview(try Self.id(&reader))
        }
        try reader.finish()
    }

    private static func id(_ reader: inout ByteReader) throws(RecordFault) -> MatchID {
        guard let raw = Bytes16(try reader.bytes(16)) else { throw .truncated }
        return MatchID(raw: raw)
    }

    private static func rest(_ reader: inout ByteReader) throws(RecordFault) -> [UInt8] {
        Array(try reader.bytes(reader.remaining))
    }
}
