import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The user under the list of pages: picture, name, and who sees their location.
@MainActor
final class ProfileEntry: Box {
    private struct Content: Equatable {
        var person: Key
        var name: String
        var detail: String
    }

    private let photos: PersonPhotos
    private var avatar: PersonAvatar?

    private let picture = Box(.across).aligned(.start, .centre)
    private let name = Label().width(characters: 14)
    private let detail = Label().styled("hint", "dim").width(characters: 16)
    private var shown: Content?

    private static let picturePixels: Int32 = 32

    init(photos: PersonPhotos) {
        self.photos = photos
        super.init(.across, spacing: 10)
        append(picture)
        append(Box(.down, [name, detail]).expanding(across: true).aligned(.fill, .centre))
    }

    /// Shows the user.
    func show(_ people: People) {
        guard let me = people.me else { return }
        let content = Content(
            person: me.person, name: me.nickname?.string ?? localized("No name yet"),
            detail: people.showsLocation
                ? localized("Location shared") : localized("Location hidden"))
        avatar?.showPhoto()
        guard content != shown else { return }
        if content.person != shown?.person || content.name != shown?.name {
            let avatar = PersonAvatar(
                me.person, pixels: Self.picturePixels, photos: photos)
            avatar.show(name: me.nickname?.string ?? "")
            picture.replaceChildren(with: [avatar])
            self.avatar = avatar
        }
        shown = content
        name.text = content.name
        detail.text = content.detail
    }
}

extension People {
    /// Whether the user shows mates a location: they see one that was set by hand.
    fileprivate var showsLocation: Bool { location?.source == .hand && myLocation != nil }

    /// Whether mates see the user's location, in words.
    var mateVisibility: String {
        showsLocation ? localized("Mates see your location") : localized("Location hidden")
    }
}
