import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The photo in the form of the user's card: chosen, dropped or pasted, shown as it will be, and
/// sent when the form is saved.
@MainActor
final class PhotoField: Box {
    /// The change that the form has not saved yet.
    enum Draft {
        case unchanged
        /// A picture that was chosen.
        case picture(PhotoSource)
        case removed
    }

    /// The change to save.
    private(set) var draft = Draft.unchanged

    private let context: PanelContext
    private let frame = Box(.across)
    private let remove = Button(localized("Remove photo"))
    private let hint = Label().styled("hint").width(characters: 40)
    private let opener = PictureOpener()
    private var avatar: Avatar?
    private var saved: PersonAvatar?
    private var hasPhoto = false
    /// The number of pictures that were chosen: of several, the last one counts.
    private var choicesCount = 0

    private static let pixels: Int32 = 72

    init(_ context: PanelContext) {
        self.context = context
        super.init(.down, spacing: 4)
        role(.group).named(localized("Photo"))
        let choose = Button(localized("Choose a photo…")) { [weak self] in self?.choose() }
        let paste = Button(localized("Paste")) { [weak self] in self?.paste() }
            .named(localized("Paste a photo"))
        remove.onClick { [weak self] in self?.clear() }
        append(
            Box(
                .across, spacing: 12,
                [
                    frame.aligned(.start, .centre),
                    Box(.down, spacing: 6, [Box(.across, spacing: 6, [choose, paste]), remove])
                        .aligned(.start, .centre),
                ]))
        append(hint)
        say(nil)
    }

    /// Shows the photo that is stored.
    func fill(_ me: MyProfile?) {
        draft = .unchanged
        choicesCount += 1
        hasPhoto = me?.photoMs != nil
        say(nil)
        guard let me else { return frame.replaceChildren(with: []) }
        let drawn = Avatar(key: me.person.string, pixels: Self.pixels)
        drawn.show(name: me.nickname?.string ?? "")
        avatar = drawn
        let photo = PersonAvatar(
            me.person, pixels: Self.pixels, photos: context.personPhotos)
        photo.show(name: me.nickname?.string ?? "")
        saved = photo
        showDraft()
    }

    /// Uses a picture that was chosen, dropped or pasted.
    func use(_ source: PhotoSource) {
        choicesCount += 1
        let choice = choicesCount
        Task { [weak self] in
            guard let self else { return }
            let key = WindowPhotos.Key(
                "chosen \(choice)", sideMax: PhotoLimits.thumbnailSize.width * 2)
            do throws(PhotoFault) {
                let picture = try await context.photos.picture(key, of: source)
                guard choice == choicesCount else { return }
                draft = .picture(source)
                avatar?.show(photo: picture)
                showDraft()
                say(nil)
            } catch {
                if choice == choicesCount { say(localized(error.sentence)) }
            }
        }
    }

    private func choose() {
        opener.ask(title: localized("Choose a photo"), kind: localized("JPEG and PNG")) {
            [weak self] paths in
            if let path = paths.first { self?.use(.file(path: path)) }
        }
    }

    private func paste() {
        Clipboard.requestPicture { [weak self] bytes in
            guard let bytes else {
                self?.say(localized("There is no JPEG or PNG in the clipboard."))
                return
            }
            self?.use(.bytes(bytes))
        }
    }

    private func clear() {
        choicesCount += 1
        draft = hasPhoto ? .removed : .unchanged
        avatar?.show(photo: nil)
        showDraft()
        say(nil)
    }

    private func showDraft() {
        let isShown: Bool
        if case .unchanged = draft {
            isShown = hasPhoto
            frame.replaceChildren(with: [saved].compactMap { $0 })
        } else {
            if case .removed = draft { isShown = false } else { isShown = true }
            frame.replaceChildren(with: [avatar].compactMap { $0 })
        }
        remove.isVisible = isShown
    }

    /// Shows a fault, or how a photo is chosen.
    private func say(_ fault: String?) {
        hint.text =
            fault.map { "⚠ \($0)" }
            ?? localized(
                "A JPEG or PNG; drop one here. It is sent without the place where it was taken.")
        hint.setStyle("fault", on: fault != nil)
    }
}
