public import Contract
import ControlAPI
public import GtkKit

/// A photo that is shown as a whole, and the node's command for it.
@MainActor
public struct ViewedPhoto {
    /// The name of the photo for the reader.
    public var title: String
    /// The width and the height; nil if they are not known.
    public var sides: PhotoSides?
    /// Names the photo among those that the window keeps.
    public var key: String
    /// The name of the person who sent it; nil if the user did.
    public var sender: String?
    /// Asks the node for the photo, and to copy it to a path if there is one.
    public var content: @MainActor (_ save: FilePath?) async throws -> PhotoContent

    /// Describes a photo.
    public init(
        title: String, sides: PhotoSides?, key: String, sender: String?,
        content: @escaping @MainActor (_ save: FilePath?) async throws -> PhotoContent
    ) {
        self.title = title
        self.sides = sides
        self.key = key
        self.sender = sender
        self.content = content
    }
}

/// Shows one photo at a time in a sheet: loads it, again when it has arrived, and saves copies.
///
/// ```swift
/// viewer.open(
///     ViewedPhoto(title: "Photo", sides: nil, key: "photo \(id)", sender: "Mina") { save in
///         try await node.call(ChatCommands.photo, ShowPhoto(id: RecordPrefix(id), save: save))
///     }, over: page.size)
/// ```
@MainActor
public final class PhotoViewer {
    private let context: PanelContext
    private let saver = FileSaver()
    private var shown: (photo: ViewedPhoto, sheet: PhotoSheet)?
    private var work: Task<Void, Never>?

    /// Creates the viewer of a panel.
    public init(_ context: PanelContext) { self.context = context }

    /// Shows a photo, as large as the page allows.
    public func open(_ photo: ViewedPhoto, over page: Size) {
        let sheet = PhotoSheet(title: photo.title, sides: photo.sides, over: page)
        sheet.onClose = { [weak self, weak sheet] in sheet.map { self?.context.dismiss($0) } }
        sheet.onSave = { [weak self] in self?.askForPath() }
        shown = (photo, sheet)
        context.present(sheet, onDismiss: { [weak self, weak sheet] in self?.closed(sheet) })
        sheet.focusClose()
        load()
    }

    /// Looks again for a photo that was not here, because something has changed.
    public func loadAgain() {
        guard let shown, !shown.sheet.isLoaded else { return }
        load()
    }

    private func closed(_ sheet: PhotoSheet?) {
        guard shown?.sheet === sheet else { return }
        shown = nil
        work?.cancel()
    }

    private func load() {
        guard let (photo, sheet) = shown else { return }
        let before = work
        work = Task { [context] in
            await before?.value
            guard !Task.isCancelled, !sheet.isLoaded else { return }
            do {
                let content = try await photo.content(nil)
                guard let file = content.file else {
                    return sheet.say(content.note?.string ?? localized("Loading…"))
                }
                let key = WindowPhotos.Key(photo.key, sideMax: PhotoLimits.shownSideMax)
                sheet.show(try await context.photos.picture(key, of: .file(path: file.string)))
            } catch let fault as PhotoFault {
                let sentence = photo.sender.map(fault.sentence(aboutPhotoOf:)) ?? fault.sentence
                sheet.setFault(localized(sentence))
            } catch {
                sheet.setFault(CommandFault(error).shown())
            }
        }
    }

    private func askForPath() {
        guard let (photo, sheet) = shown else { return }
        saver.ask(
            title: localized("Save the photo"), name: "photo.jpg",
            mayReplace: false
        ) { path in
            Task {
                do {
                    let saved = try await photo.content(FilePath(path))
                    sheet.say(localized("Saved: \(saved.file?.string ?? path)"))
                } catch {
                    sheet.setFault(CommandFault(error).shown())
                }
            }
        }
    }
}
