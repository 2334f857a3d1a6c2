import ChatAPI
import Contract
import ControlAPI
import GtkKit
import PanelKit

/// The thumbnails of the photos that a conversation shows. Those that are not kept are requested
/// from the node together, and each is decoded away from the main loop.
@MainActor
final class ChatThumbnails {
    /// Called with a thumbnail that was not kept when it was wanted.
    var onLoad: @MainActor (RecordKey, Picture) -> Void = { _, _ in }

    private let context: PanelContext
    private var room: Key?
    private var wanted: [RecordKey] = []
    private var isAsking = false

    /// The most thumbnails of one request.
    static let askedCountMax = 50

    /// Creates the thumbnails of a panel.
    init(_ context: PanelContext) { self.context = context }

    /// Forgets what was wanted, because another room is shown.
    func beginRoom(_ room: Key?) {
        self.room = room
        wanted = []
    }

    /// Returns a thumbnail that is kept; else nil, and loads it.
    func picture(of id: RecordKey) -> Picture? {
        if let kept = context.photos.kept(Self.key(id)) { return kept }
        if !wanted.contains(id) { wanted.append(id) }
        guard !isAsking else { return nil }
        isAsking = true
        // The rows of one page are made in one step of the main loop.
        Task { [weak self] in await self?.ask() }
        return nil
    }

    private func ask() async {
        defer { isAsking = false }
        while let room, !wanted.isEmpty {
            // The newest messages are at the end, where a room opens.
            let ids = Array(wanted.suffix(Self.askedCountMax))
            wanted.removeLast(ids.count)
            let answer = try? await context.node.call(
                ChatCommands.thumbnails, ListThumbnails(room: NameOrKey(room), ids: ids))
            guard let answer, self.room == room else { continue }
            let found = Dictionary(
                answer.thumbnails.map { ($0.id, $0.jpeg) }, uniquingKeysWith: { first, _ in first })
            await withTaskGroup(of: Void.self) { group in
                for id in ids.reversed() {
                    guard let digits = found[id] else { continue }
                    group.addTask { [weak self] in await self?.decode(digits, of: id) }
                }
            }
        }
    }

    private func decode(_ digits: ThumbnailDigits, of id: RecordKey) async {
        let source = await Self.source(digits)
        guard let picture = try? await context.photos.picture(Self.key(id), of: source) else {
            return
        }
        onLoad(id, picture)
    }

    @concurrent
    private nonisolated static func source(_ digits: ThumbnailDigits) async -> PhotoSource {
        .bytes(digits.jpeg)
    }

    private static func key(_ id: RecordKey) -> WindowPhotos.Key {
        WindowPhotos.Key("message \(id)", sideMax: PhotoLimits.thumbnailSize.width)
    }
}
