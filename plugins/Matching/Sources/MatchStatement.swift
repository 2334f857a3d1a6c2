internal import MatchingAPI
internal import PluginKit

/// The content of a signed statement about a match.
///
/// A fact is `u8 1 ‖ 16 match ‖ 32 other person ‖ u64 milliseconds`; a review is
/// `u8 2 ‖ 16 match ‖ 32 other person ‖ u8 marks ‖ varint length ‖ text`, with the marks in the
/// order of ``ReviewMark``, lowest bit first.
enum MatchStatement: Hashable, Sendable {
    /// "I have a match of this id with this person."
    case fact(MatchID, with: PersonID, at: Timestamp)
    /// "This is my review of this person."
    case review(MatchID, of: PersonID, marks: Set<ReviewMark>, text: String)

    /// The content's bytes.
    var encoded: [UInt8] {
        switch self {
        case .fact(let id, let person, let at):
            let time = UInt64(clamping: at.milliseconds)
            return [1] + id.raw.bytes + person.bytes
                + (0..<8).reversed().map { UInt8(truncatingIfNeeded: time >> UInt64(8 * $0)) }
        case .review(let id, let person, let marks, let text):
            var bytes: [UInt8] = [2] + id.raw.bytes + person.bytes
            bytes.append(
                ReviewMark.allCases.enumerated().reduce(0) {
                    $0 | (marks.contains($1.element) ? 1 << UInt8($1.offset) : 0)
                })
            bytes.append(varint: UInt64(text.utf8.count))
            return bytes + Array(text.utf8)
        }
    }

    /// Reads exactly one content; nil if it is none.
    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let statement = try? Self.read(&reader), reader.isAtEnd else { return nil }
        self = statement
    }

    private static func read(_ reader: inout ByteReader) throws(RecordFault) -> MatchStatement {
        let kind = try reader.byte()
        guard let raw = Bytes16(try reader.bytes(16)) else { throw .truncated }
        let (id, person) = (MatchID(raw: raw), try reader.identifier(PersonID.self))
        switch kind {
        case 1:
            let time = try reader.integer(UInt64.self)
            guard time <= UInt64(Timestamp.millisecondsMax) else {
                throw .overLimit("a time", limit: Int(Timestamp.millisecondsMax))
            }
            return .fact(id, with: person, at: Timestamp(milliseconds: Int64(time)))
        case 2:
            let bits = try reader.byte()
            guard bits >> UInt8(ReviewMark.allCases.count) == 0 else {
                throw .unknownTag("marks of a review", UInt64(bits))
            }
            let text = try reader.text("a review's bytes", limit: ReviewLimits.textBytesMax)
            let marks = ReviewMark.allCases.enumerated().filter {
                bits >> UInt8($0.offset) & 1 == 1
            }
            return .review(id, of: person, marks: Set(marks.map(\.element)), text: text)
        case let tag: throw .unknownTag("statement in matching", UInt64(tag))
        }
    }
}
