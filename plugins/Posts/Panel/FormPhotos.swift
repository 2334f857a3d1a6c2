import Contract
import ControlAPI
import GtkKit
import PanelKit
import PostsAPI

/// The photos of a form: each with a button that removes it, and one that adds others.
@MainActor
final class FormPhotos: Box {
    /// Called when pictures are to be chosen.
    var onAdd: @MainActor () -> Void = {}
    /// Called with a file whose picture could not be shown, and with the reason.
    var onFault: @MainActor (PostForm.Photo, PhotoFault) -> Void = { _, _ in }
    /// Called with a photo to remove.
    var onRemove: @MainActor (PostForm.Photo) -> Void = { _ in }

    private let context: PanelContext
    private let thumbnails: PostThumbnailLoader
    private let grid = Grid(columnSpacing: 6, rowSpacing: 6)
    private let add = Button(localized("Add photos…")).aligned(.start)
    private let hint = Label().styled("hint").width(characters: 34)
    private var views: [PostForm.Photo: PictureView] = [:]
    private var shown: [PostForm.Photo] = []

    private static let columnsCount: Int32 = 3
    private static let sidePixels: Int32 = 72

    /// Creates an empty list.
    init(_ context: PanelContext, _ thumbnails: PostThumbnailLoader) {
        self.context = context
        self.thumbnails = thumbnails
        super.init(.down, spacing: 6)
        role(.group).named(localized("Photos"))
        for view in [grid.aligned(.start), add, hint] { append(view) }
        add.onClick { [weak self] in self?.onAdd() }
    }

    /// Shows photos.
    /// - Parameter note: what is to be said about them.
    func show(_ photos: [PostForm.Photo], canAdd: Bool, note: String) {
        if add.isEnabled != canAdd { add.isEnabled = canAdd }
        hint.text = note
        if photos != shown { place(photos) }
        for case .stored(let photo) in photos where views[.stored(photo)]?.picture == nil {
            views[.stored(photo)]?.picture = thumbnails.picture(of: photo.id)
        }
    }

    private func place(_ photos: [PostForm.Photo]) {
        shown = photos
        let old = views
        views = [:]
        grid.removeAll()
        grid.isVisible = !photos.isEmpty
        for (index, photo) in photos.enumerated() {
            let name = PostWords.photo(index + 1, of: photos.count)
            let view =
                PictureView(name: name).minimum(width: Self.sidePixels, height: Self.sidePixels)
            view.picture = old[photo]?.picture
            views[photo] = view
            if view.picture == nil { load(photo) }
            let remove = Button(icon: "window-close-symbolic", name: localized("Remove"))
                .flat().named(localized("Remove photo \(index + 1)"))
            remove.onClick { [weak self] in self?.onRemove(photo) }
            let number = Int32(index)
            grid.attach(
                Box(.across, spacing: 2, [view, remove.aligned(.start, .start)]),
                column: number % Self.columnsCount, row: number / Self.columnsCount)
        }
    }

    /// Reads a file that the user chose or dropped.
    private func load(_ photo: PostForm.Photo) {
        guard case .file(let path) = photo else { return }
        Task { [weak self, context] in
            let key = WindowPhotos.Key("file \(path)", sideMax: PhotoLimits.thumbnailSize.width)
            do throws(PhotoFault) {
                let picture = try await context.photos.picture(key, of: .file(path: path))
                self?.views[photo]?.picture = picture
            } catch { self?.onFault(photo, error) }
        }
    }
}
