import Contract
import PanelKit
import PostsAPI

/// Posts on the map.
enum PostLayer {
    private static let prefix = "post-"

    /// The largest number of posts on the map, those at the top of the list.
    static let markersCountMax = 200

    /// Returns the layer of the listed posts that have a location, in the order of the list.
    static func make(_ posts: [Post]) -> MapLayer {
        MapLayer(
            markers: posts.prefix(markersCountMax).compactMap { post -> MapMarker? in
                guard let location = post.location?.coordinate else { return nil }
                return MapMarker(
                    id: markerID(of: post.id), symbol: .post, coordinate: location,
                    title: PostWords.title(post.title),
                    detail: [
                        PostWords.mark(isMate: post.mate), PostWords.name(post.category),
                    ].compactMap { $0 }.joined(separator: " · "))
            })
    }

    /// Returns the id of a post's marker.
    static func markerID(of post: RecordKey) -> String { prefix + post.string }

    /// Returns the post whose marker has an id.
    static func post(of id: String) -> RecordKey? {
        id.hasPrefix(prefix) ? try? RecordKey(String(id.dropFirst(prefix.count))) : nil
    }
}
