import ChatAPI
import GtkKit
import PanelKit

/// The thumbnail of a photo in its bubble. It opens the photo.
@MainActor
final class ChatPhotoButton: RowButton {
    /// A screen reader says the name of the button alone.
    private let view = PictureView(name: "")

    /// Creates a button without a picture; `onOpen` opens the photo.
    init(_ message: ChatMessage, onOpen: @escaping @MainActor () -> Void) {
        let size = Int32(PhotoLimits.thumbnailSize.width)
        super.init(view.minimum(width: size, height: size), onOpen)
        styled("photo-button").named(message.photoText).tooltip(localized("Show the photo"))
    }

    /// The thumbnail; nil while it is loading.
    var picture: Picture? {
        get { view.picture }
        set { view.picture = newValue }
    }
}
