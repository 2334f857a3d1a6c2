import Contract
import ControlAPI
import GtkKit
import PanelKit
import PostsAPI

/// The thumbnails of photos of posts. Those that are not kept are requested from the node together,
/// and each is decoded away from the main loop. One that is not here is asked for again when a
/// photo has arrived.
@MainActor
final class PostThumbnailLoader {
    /// Called with a thumbnail that was not kept when it was wanted.
    var onLoad: @MainActor (RecordKey, Picture) -> Void = { _, _ in }

    private let context: PanelContext
    private var wanted: [RecordKey] = []
    /// The photos that the node did not have, and those that cannot be read.
    private var missing: Set<RecordKey> = []
    private var isAsking = false

    /// The most thumbnails of one request.
    static let askedCountMax = 50
    /// The most photos that wait to be asked for; those that were wanted first are forgotten.
    static let wantedCountMax = 200

    /// Creates the thumbnails of a panel.
    init(_ context: PanelContext) { self.context = context }

    /// Returns a thumbnail that is kept; else nil, and loads it.
    func picture(of id: RecordKey) -> Picture? {
        if let kept = context.photos.kept(Self.key(id)) { return kept }
        guard !missing.contains(id), !wanted.contains(id) else { return nil }
        wanted.append(id)
        wanted.removeFirst(max(0, wanted.count - Self.wantedCountMax))
        guard !isAsking else { return nil }
        isAsking = true
        // The rows of one page are made in one step of the main loop.
        Task { [weak self] in await self?.ask() }
        return nil
    }

    /// Asks again for those that were not here, because a photo has arrived.
    func forgetMissing() { missing = [] }

    private func ask() async {
        defer { isAsking = false }
        while !wanted.isEmpty {
            let ids = Array(wanted.prefix(Self.askedCountMax))
            wanted.removeFirst(ids.count)
            missing.formUnion(ids)
            let answer = try? await context.node.call(
                PostCommands.thumbnails, ListPostThumbnails(ids: ids))
            guard let answer else { continue }
            let asked = Set(ids)
            await withTaskGroup(of: Void.self) { group in
                for thumbnail in answer.thumbnails where asked.contains(thumbnail.id) {
                    group.addTask { [weak self] in
                        await self?.decode(thumbnail.jpeg, of: thumbnail.id)
                    }
                }
            }
        }
    }

    private func decode(_ digits: ThumbnailDigits, of id: RecordKey) async {
        let source = await Self.source(digits)
        guard let picture = try? await context.photos.picture(Self.key(id), of: source) else {
            return
        }
        missing.remove(id)
        onLoad(id, picture)
    }

    @concurrent
    private nonisolated static func source(_ digits: ThumbnailDigits) async -> PhotoSource {
        .bytes(digits.jpeg)
    }

    private static func key(_ id: RecordKey) -> WindowPhotos.Key {
        WindowPhotos.Key("post photo \(id)", sideMax: PhotoLimits.thumbnailSize.width)
    }
}
