public import Contract
public import GtkKit

/// A photo as large as the window allows, or the reason why it is not there yet.
@MainActor
public final class PhotoSheet: Sheet {
    /// Called when the sheet is to be closed.
    public var onClose: @MainActor () -> Void = {}
    /// Called when a copy of the photo is to be saved.
    public var onSave: @MainActor () -> Void = {}

    private let photo: PictureView
    private let note = Label().width(characters: 40).centred().role(.status)
    private let save = Button(localized("Save as…"))
    private let close = Button(localized("Close"))

    /// The pixels of a page that the sheet needs around the photo.
    private static let frame = Size(width: 120, height: 230)
    /// The least space for a photo in pixels; a smaller window scrolls.
    private static let spaceMin = Size(width: 200, height: 150)

    /// Creates a sheet for a photo, which is loading.
    /// - Parameters:
    ///   - sides: the width and the height of the photo; nil if they are not known.
    ///   - page: the size of the page under it.
    public init(title: String, sides: PhotoSides?, over page: Size) {
        photo = PictureView(name: title)
        super.init(title: title)
        let shown = Self.size(of: sides, over: page)
        append(photo.minimum(width: Int32(shown.width), height: Int32(shown.height)))
        append(note)
        append(faultView)
        setButtons([save, close])
        save.isVisible = false
        note.text = localized("Loading…")
        save.onClick { [weak self] in self?.onSave() }
        close.onClick { [weak self] in self?.onClose() }
    }

    /// Returns the size of a photo on a page; a photo of unknown sides is a square.
    package static func size(of sides: PhotoSides?, over page: Size) -> PhotoSize {
        let sides = sides ?? PhotoSides(width: 1, height: 1)
        let space = PhotoSize(
            width: Int(max(page.width - frame.width, spaceMin.width)),
            height: Int(max(page.height - frame.height, spaceMin.height)))
        return PhotoSize(width: sides.width, height: sides.height).fitted(into: space)
    }

    /// Whether the photo is shown.
    public var isLoaded: Bool { photo.picture != nil }

    /// Shows the photo.
    public func show(_ picture: Picture) {
        photo.picture = picture
        note.isVisible = false
        save.isVisible = true
        setFault(nil)
    }

    /// Shows a sentence: when the photo comes, or where it was saved.
    public func say(_ sentence: String) {
        note.text = sentence
        note.isVisible = true
        setFault(nil)
    }

    /// Moves the keyboard focus to the button that closes the sheet.
    public func focusClose() { close.grabFocus() }
}
