/// Reads pictures that this person chose, for a plugin with a blob field of the media type
/// ``EncodedPhoto/kind``. No picture is decoded in the node's process.
///
/// ```swift
/// let photo = try await context.photos.encode(.file(path: path), for: .chat)
/// let blob = try await context.blobs.put(photo.jpeg, kind: EncodedPhoto.kind, in: room)
/// ```
public protocol PhotoAccess: Sendable {
    /// Decodes a picture and encodes it anew as JPEG: right way up, without metadata, in the size
    /// of its use, with a thumbnail.
    /// - Throws: ``CommandFault`` if the picture is refused (its length, its number of pixels, its
    ///   format, damage), its file cannot be read, or this system cannot run the worker.
    func encode(_ source: PhotoSource, for use: PhotoUse) async throws -> EncodedPhoto
}
