internal import PluginKit
internal import PostsAPI

/// The last post of a page, after which the next page begins.
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
    /// After the post at this distance, the nearest first. Distances are from `centre`.
    case nearest(centre: Point, metres: Double, post: EntityID)

    /// The order of the list.
    var order: PostOrder {
        switch self {
        case .newest: .newest
        case .nearest: .nearest
        }
    }

    /// Whether a post comes after this one in a list of the newest.
    func precedes(stamp: Int64, post: EntityID) -> Bool {
        guard case .newest(let last, let lastPost) = self else { return false }
        return stamp != last ? stamp < last : post < lastPost
    }

    /// Whether a post comes after this one in a list of the nearest.
    func precedes(metres: Double, post: EntityID) -> Bool {
        guard case .nearest(_, let last, let lastPost) = self else { return false }
        return metres != last ? metres > last : post > lastPost
    }

    // MARK: Text

    /// The cursor as a text for a request: a letter for the order, and hexadecimal digits.
    var text: String {
        var bytes: [UInt8] = []
        switch self {
        case .newest(let stamp, let post):
            bytes.append(bigEndian: UInt64(bitPattern: stamp))
            return "n" + Hexadecimal.text(bytes + post.bytes)
        case .nearest(let centre, let metres, let post):
            for number in [centre.latitude, centre.longitude, metres] {
                bytes.append(bigEndian: number.bitPattern)
            }
            return "d" + Hexadecimal.text(bytes + post.bytes)
        }
    }

    /// Reads a cursor that a request names, or returns nil if it is none.
    init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text.dropFirst()) else { return nil }
        var reader = ByteReader(bytes)
        let cursor: PostCursor?
        switch text.first {
        case "n": cursor = try? Self.newest(from: &reader)
        case "d": cursor = try? Self.nearest(from: &reader)
        default: return nil
        }
        guard let cursor, reader.isAtEnd else { return nil }
        self = cursor
    }

    private static func newest(from reader: inout ByteReader) throws -> PostCursor? {
        guard let stamp = Int64(exactly: try reader.integer(UInt64.self)) else { return nil }
        return .newest(stamp: stamp, post: try reader.identifier(EntityID.self))
    }

    private static func nearest(from reader: inout ByteReader) throws -> PostCursor? {
        let (latitude, longitude) = (try number(from: &reader), try number(from: &reader))
        let metres = try number(from: &reader)
        guard metres >= 0, metres.isFinite else { return nil }
        return .nearest(
            centre: try Point(latitude: latitude, longitude: longitude), metres: metres,
            post: try reader.identifier(EntityID.self))
    }

    private static func number(from reader: inout ByteReader) throws -> Double {
        Double(bitPattern: try reader.integer(UInt64.self))
    }
}
