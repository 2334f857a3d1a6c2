public import Contract
public import GtkKit

/// The round picture of a person: their photo once it is decoded, and until then their initials.
@MainActor
public final class PersonAvatar: Box {
    private let person: Contract.Key
    private let photos: PersonPhotos
    private let avatar: Avatar
    private var shown: Picture?

    /// Creates an avatar.
    /// - Parameter pixels: the width and the height.
    public init(_ person: Contract.Key, pixels: Int32 = 40, photos: PersonPhotos) {
        self.person = person
        self.photos = photos
        avatar = Avatar(key: person.string, pixels: pixels)
        super.init(.across)
        aligned(.centre, .centre)
        append(avatar)
    }

    /// Shows the person under this name, with the photo that they have now.
    public func show(name: String) {
        avatar.show(name: name)
        showPhoto()
    }

    /// Shows the photo that the person has now.
    public func showPhoto() {
        let picture = photos.picture(of: person) { [weak self] in self?.showPhoto() }
        guard picture !== shown else { return }
        shown = picture
        avatar.show(photo: picture)
    }
}
