internal import PluginKit
internal import PostsAPI

/// The last row of a page, after which the next page begins.
///
/// It names the post's key in the list and not its index, so pages neither repeat nor skip a post
/// while others arrive or go. For example, 20 posts are shown and three newer ones arrive: the next
/// page has the 20 that followed the last one, and the three are in sight if the list is shown
/// anew.
///
/// A cursor by distance also names the location from which the distances are measured, so that a
/// person who walks on does not change the list between two pages.
enum PostCursor: Hashable, Sendable {
    /// After the post of this stamp and id, the newest first.
    case newest(stamp: Int64, post: EntityID)
    /// After the post at this distance, in steps of ``PostLimits/stepMetres``, the nearest first
    /// and of one step the newest. Distances are from `centre`.
    case nearest(centre: Point, step: Int64, stamp: Int64, post: EntityID)
    /// After the found post with this number in the full-text index, the newest first.
    case found(number: Int64)
    /// After the post of this stamp and id in a search that compares the texts of the newest posts.
    case walked(stamp: Int64, post: EntityID)
    /// After the comment of this stamp and id, the oldest first.
    case comment(stamp: Int64, comment: EntityID)

    // MARK: Text

    /// The cursor as a text for a request: a letter for the order, and hexadecimal digits.
    var text: String {
        var bytes: [UInt8] = []
        switch self {
        case .newest(let stamp, let post), .walked(let stamp, let post):
            bytes.append(bigEndian: UInt64(bitPattern: stamp))
            let letter = if case .newest = self { "n" } else { "w" }
            return letter + Hexadecimal.text(bytes + post.bytes)
        case .nearest(let centre, let step, let stamp, let post):
            for degrees in [centre.latitude, centre.longitude] {
                bytes.append(bigEndian: degrees.bitPattern)
            }
            for number in [step, stamp] { bytes.append(bigEndian: UInt64(bitPattern: number)) }
            return "d" + Hexadecimal.text(bytes + post.bytes)
        case .found(let number):
            bytes.append(bigEndian: UInt64(bitPattern: number))
            return "f" + Hexadecimal.text(bytes)
        case .comment(let stamp, let comment):
            bytes.append(bigEndian: UInt64(bitPattern: stamp))
            return "c" + Hexadecimal.text(bytes + comment.bytes)
        }
    }

    /// Reads a cursor that a request names, or returns nil if it is none.
    init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text.dropFirst()) else { return nil }
        var reader = ByteReader(bytes)
        let cursor: PostCursor?
        switch text.first {
        case "n":
            cursor = (try? Self.stamped(from: &reader)).map { .newest(stamp: $0, post: $1) }
        case "d": cursor = try? Self.nearest(from: &reader)
        case "f": cursor = (try? Self.number(from: &reader)).map { .found(number: $0) }
        case "w":
            cursor = (try? Self.stamped(from: &reader)).map { .walked(stamp: $0, post: $1) }
        case "c":
            cursor = (try? Self.stamped(from: &reader)).map { .comment(stamp: $0, comment: $1) }
        default: return nil
        }
        guard let cursor, reader.isAtEnd else { return nil }
        self = cursor
    }

    private static func stamped(
        from reader: inout ByteReader
    ) throws(RecordFault) -> (Int64, EntityID) {
        (try number(from: &reader), try reader.identifier(EntityID.self))
    }

    private static func number(from reader: inout ByteReader) throws(RecordFault) -> Int64 {
        guard let number = Int64(exactly: try reader.integer(UInt64.self)) else {
            throw .overLimit("a cursor's number", limit: Int.max)
        }
        return number
    }

    private static func nearest(from reader: inout ByteReader) throws -> PostCursor? {
        let (latitude, longitude) = (try real(from: &reader), try real(from: &reader))
        let (step, stamp) = (try number(from: &reader), try number(from: &reader))
        // No two locations on Earth are farther from each other.
        guard step <= Int64(PostLimits.radiusMetresMax / PostLimits.stepMetres) else { return nil }
        return .nearest(
            centre: try Point(latitude: latitude, longitude: longitude), step: step, stamp: stamp,
            post: try reader.identifier(EntityID.self))
    }

    private static func real(from reader: inout ByteReader) throws -> Double {
        Double(bitPattern: try reader.integer(UInt64.self))
    }
}
