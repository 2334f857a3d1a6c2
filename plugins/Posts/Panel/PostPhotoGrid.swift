import Contract
import GtkKit
import PanelKit
import PostsAPI

/// The thumbnails of the photos of a post. Each opens its photo.
@MainActor
final class PostPhotoGrid: Box {
    /// Called with a photo to show, and its name.
    var onOpen: @MainActor (PostPhoto, _ title: String) -> Void = { _, _ in }

    private let grid = Grid(columnSpacing: 6, rowSpacing: 6)
    private let thumbnails: PostThumbnailLoader
    private var shown: [PostPhoto] = []
    private var views: [RecordKey: PictureView] = [:]

    private static let columnsCount: Int32 = 3

    /// Creates an empty grid.
    init(_ thumbnails: PostThumbnailLoader) {
        self.thumbnails = thumbnails
        super.init(.down)
        role(.group).named(localized("Photos"))
        append(grid.aligned(.start))
    }

    /// Shows photos.
    func show(_ photos: [PostPhoto]) {
        isVisible = !photos.isEmpty
        if photos != shown { place(photos) }
        for photo in photos {
            let picture = thumbnails.picture(of: photo.id)
            if views[photo.id]?.picture !== picture { views[photo.id]?.picture = picture }
        }
    }

    private func place(_ photos: [PostPhoto]) {
        shown = photos
        views = [:]
        grid.removeAll()
        let side = Int32(PhotoLimits.thumbnailSize.width)
        for (index, photo) in photos.enumerated() {
            let title = PostWords.photo(index + 1, of: photos.count)
            let view = PictureView(name: "").minimum(width: side, height: side)
            views[photo.id] = view
            let button = RowButton(view) { [weak self] in self?.onOpen(photo, title) }
            button.styled("photo-button").named(title).tooltip(localized("Show the photo"))
            let number = Int32(index)
            grid.attach(
                button, column: number % Self.columnsCount, row: number / Self.columnsCount)
        }
    }
}
