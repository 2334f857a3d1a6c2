internal import ChatAPI
internal import PluginKit

/// The photo of a message, as its record describes it.
///
/// A record may come from a changed program. The engine leaves out a field that is over its limit,
/// and a description whose parts are missing or do not fit counts as none: the message is shown
/// without a photo.
struct MessagePhoto: Hashable, Sendable {
    /// The content, which is fetched when somebody looks at it.
    let blob: Blob
    let size: PhotoSize
    let thumbnail: PhotoThumbnail

    /// Describes a photo whose content is stored.
    init?(_ photo: EncodedPhoto, stored blob: Blob) {
        guard let thumbnail = PhotoThumbnail(photo.thumbnail) else { return nil }
        self.blob = blob
        size = photo.size
        self.thumbnail = thumbnail
    }

    /// Reads a row of `chat_shown`; nil if it describes no photo.
    init?(_ row: Row) {
        guard let blob = row.blob("photo"),
            let width = row.integer("width"), let height = row.integer("height"),
            let thumbnail = row.bytes("thumbnail").flatMap(PhotoThumbnail.init)
        else { return nil }
        self.blob = blob
        size = PhotoSize(width: Int(clamping: width), height: Int(clamping: height))
        self.thumbnail = thumbnail
    }

    /// The fields of the record.
    var fields: [String: Value] {
        [
            "photo": blob.value, "thumbnail": .bytes(thumbnail.jpeg),
            "width": .integer(Int64(size.width)), "height": .integer(Int64(size.height)),
        ]
    }

    /// The size, as an answer says it.
    var sides: PhotoSides { PhotoSides(width: size.width, height: size.height) }
}
