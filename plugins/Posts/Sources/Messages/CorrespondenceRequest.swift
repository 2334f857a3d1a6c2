internal import PluginKit
internal import PostsAPI

/// A request to write to each other, as its sender signed it.
struct CorrespondenceRequest: Hashable, Sendable {
    /// The id, which both facts name if the request is accepted.
    let id: Bytes16
    /// The person who asks.
    let sender: PersonID
    /// The author of the post.
    let receiver: PersonID
    /// The post.
    let post: EntityID
    /// The time of the request by its sender's clock.
    let at: Timestamp
    /// The text, one line.
    let text: String

    /// The maximum length of a text, in bytes. The statement about it must fit into a fact.
    static let textBytesMax = 1000
    /// The time by which the clock of a sender may be ahead.
    static let clockErrorMax = Duration.seconds(24 * 60 * 60)

    /// The time until which it waits.
    var end: Timestamp { at + PostMessageCommands.waitMax }

    /// Whether it waits still, and was not written in the future.
    func isCurrent(now: Timestamp) -> Bool { now < end && at - now <= Self.clockErrorMax }
}

/// The content of a signed statement about a correspondence.
///
/// A request is `u8 1 ‖ 16 id ‖ 32 author ‖ 16 post ‖ u64 milliseconds ‖ varint length ‖ text`; an
/// acceptance is `u8 2 ‖ 16 id ‖ 32 person who asked ‖ u64 milliseconds`.
enum CorrespondenceStatement: Hashable, Sendable {
    /// "I would like to write to this person about this post."
    case request(Bytes16, to: PersonID, post: EntityID, at: Timestamp, text: String)
    /// "I accept this person's request."
    case acceptance(Bytes16, of: PersonID, at: Timestamp)

    /// The content's bytes.
    var encoded: [UInt8] {
        switch self {
        case .request(let id, let person, let post, let at, let text):
            var bytes = [1] + id.bytes + person.bytes + post.bytes + Self.bytes(of: at)
            bytes.append(varint: UInt64(text.utf8.count))
            return bytes + Array(text.utf8)
        case .acceptance(let id, let person, let at):
            return [2] + id.bytes + person.bytes + Self.bytes(of: at)
        }
    }

    /// Reads exactly one content; nil if it is none.
    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let statement = try? Self.read(&reader), reader.isAtEnd else { return nil }
        self = statement
    }

    /// Returns the request that a checked statement makes; nil if it makes none.
    static func request(in checked: CheckedStatement) -> CorrespondenceRequest? {
        guard
            case .request(let id, let receiver, let post, let at, let text) =
                CorrespondenceStatement(decoding: checked.content),
            receiver != checked.person, let shown = PostMessageText.rule.clip(text)
        else { return nil }
        return CorrespondenceRequest(
            id: id, sender: checked.person, receiver: receiver, post: post, at: at, text: shown)
    }

    private static func bytes(of at: Timestamp) -> [UInt8] {
        let time = UInt64(clamping: at.milliseconds)
        return (0..<8).reversed().map { UInt8(truncatingIfNeeded: time >> UInt64(8 * $0)) }
    }

    private static func read(
        _ reader: inout ByteReader
    ) throws(RecordFault) -> CorrespondenceStatement {
        let kind = try reader.byte()
        guard let id = Bytes16(try reader.bytes(16)) else { throw .truncated }
        let person = try reader.identifier(PersonID.self)
        switch kind {
        case 1:
            guard let post = Bytes16(try reader.bytes(16)) else { throw .truncated }
            let at = try time(&reader)
            let text = try reader.text(
                "a request's bytes", limit: CorrespondenceRequest.textBytesMax)
            return .request(id, to: person, post: EntityID(raw: post), at: at, text: text)
        case 2: return .acceptance(id, of: person, at: try time(&reader))
        case let tag: throw .unknownTag("statement of posts", UInt64(tag))
        }
    }

    private static func time(_ reader: inout ByteReader) throws(RecordFault) -> Timestamp {
        let time = try reader.integer(UInt64.self)
        guard time <= UInt64(Timestamp.millisecondsMax) else {
            throw .overLimit("a time", limit: Int(Timestamp.millisecondsMax))
        }
        return Timestamp(milliseconds: Int64(time))
    }
}
