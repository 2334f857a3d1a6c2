import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The whole photo of a person, or a sentence that says when it comes.
@MainActor
final class PhotoFrame: Box {
    private let person: Contract.Key
    private let name: String
    private let context: PanelContext
    private let view: PictureView
    private let note = Label().styled("dim").width(characters: 40).hidden()

    /// The most pixels of either side.
    private static let sideMax = 160

    /// Creates the frame and reads the photo.
    init(of person: Contract.Key, name: String, _ context: PanelContext) {
        self.person = person
        self.name = name
        self.context = context
        view = PictureView(name: localized("Photo of \(name)"))
        super.init(.down)
        append(view.hidden())
        append(note)
        Task { [weak self] in await self?.read() }
    }

    private func read() async {
        do {
            let photo = try await context.node.call(
                MateCommands.photo, PhotoRequest(person: NameOrKey(person)))
            guard let file = photo.file else {
                return say(localized("The whole photo comes when you meet \(name)."))
            }
            let key = WindowPhotos.Key(
                "photo \(person) \(photo.atMs.milliseconds)", sideMax: Self.sideMax)
            show(try await context.photos.picture(key, of: .file(path: file.string)))
        } catch let fault as PhotoFault {
            say(localized(fault.sentence(aboutPhotoOf: name)))
        } catch {
            say(CommandFault(error).shown())
        }
    }

    private func show(_ picture: Picture) {
        view.picture = picture
        view.minimum(
            width: Int32(picture.size.width), height: Int32(picture.size.height))
        view.isVisible = true
    }

    private func say(_ sentence: String) {
        note.text = sentence
        note.isVisible = true
    }
}
