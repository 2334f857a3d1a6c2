import Contract
import ControlAPI
import GtkKit
import PanelKit
import ProximityDropAPI

/// The small photos in the sheet of a drop. The other's comes from a stranger: it is decoded in a
/// worker process, once, and only while the sheet shows their card.
@MainActor
final class DropPhotoViews {
    /// Called when another photo is to be shown.
    var onChange: @MainActor () -> Void = {}
    /// The one that would be sent.
    private(set) var mine: Picture?
    /// The one of the other side.
    private(set) var theirs: Picture?

    private let node: any NodeConnection
    private let photos: WindowPhotos
    /// The drop whose photo is shown or being read.
    private var shownDrop: RecordKey?

    init(node: any NodeConnection, photos: WindowPhotos) {
        self.node = node
        self.photos = photos
    }

    /// Shows the photo that a preview promises.
    func show(mine preview: DropPreview?) {
        guard preview?.photo == true else {
            mine = nil
            return onChange()
        }
        Task { [weak self] in
            guard let self else { return }
            mine = await picture(\.mine)
            onChange()
        }
    }

    /// Shows the photo of the other side of a session; nil shows none.
    func show(theirs session: DropStatus?) {
        guard let session, let id = session.id, session.peer?.photo == true else {
            (shownDrop, theirs) = (nil, nil)
            return onChange()
        }
        guard id != shownDrop else { return }
        (shownDrop, theirs) = (id, nil)
        Task { [weak self] in
            guard let self else { return }
            let found = await picture(\.theirs)
            guard shownDrop == id else { return }
            theirs = found
            onChange()
        }
    }

    /// Returns a photo of the node's answer, decoded; nil if there is none or it cannot be read.
    private func picture(_ part: KeyPath<DropPhotos, ThumbnailDigits?>) async -> Picture? {
        guard let answer = try? await node.call(DropCommands.photo),
            let thumbnail = answer[keyPath: part]
        else { return nil }
        let key = WindowPhotos.Key(
            "thumbnail \(thumbnail)", sideMax: PhotoLimits.thumbnailSize.width)
        return try? await photos.picture(key, of: .bytes(thumbnail.jpeg))
    }
}
