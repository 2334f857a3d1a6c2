/// Content that records name. It is stored in files beside the records, and sent only to a member
/// who asks for it.
///
/// ```swift
/// let photo = try await context.blobs.put(bytes, kind: "image/jpeg", in: room)
/// try await context.replica.author(
///     [.create(collection: "chat.message/1", nonce: nonce, fields: ["photo": photo.value])],
///     in: room)
/// ```
/// On another device, the record arrives first. Its content comes when it is asked for:
/// ```swift
/// if let photo = row.blob("photo"), let bytes = try await context.blobs.find(photo, in: room) {
///     show(bytes)
/// }  // else `contentArrived` is called when it has come from a member of the room
/// ```
public protocol BlobAccess: Sendable {
    /// Stores content for records of a space; it is on the disk when this returns. Content that no
    /// record has named for a week is removed.
    /// - Throws: ``CommandFault`` if it is empty or too long, its media type is malformed, the
    ///   manifest declares no blob field of this kind for the space, or the disk is full.
    func put(_ content: [UInt8], kind: String, in space: SpaceDescriptor) async throws -> Blob
    /// Returns the content of a blob that a record of the space names, after it was compared with
    /// its hash. If it is not here, returns nil and fetches it from the next linked member of the
    /// space who has it. Content of another space is not found, also if it has the same hash.
    /// If the space is another person's card, content that is fetched replaces the content that was
    /// fetched for that card before.
    func find(_ blob: Blob, in space: SpaceDescriptor) async throws -> [UInt8]?
    /// Like ``find(_:in:)``, but fetches nothing. For content that the user did not open, such as
    /// the thumbnails of a list: a fetch in a neighbourhood tells others what this person looks at.
    func findHere(_ blob: Blob, in space: SpaceDescriptor) async throws -> [UInt8]?
    /// Returns the path of the file with the content, for a program on this computer that only
    /// reads it; otherwise like ``find(_:in:)``. The file is removed when its room is needed, so
    /// no answer may be stored: ask again.
    func file(of blob: Blob, in space: SpaceDescriptor) async throws -> String?
    /// Copies the content to a new file, which only this person can read.
    /// - Returns: false if the content is not here; it is fetched then.
    /// - Throws: ``CommandFault`` if there is a file at the path already, or it cannot be written.
    func save(_ blob: Blob, in space: SpaceDescriptor, to path: String) async throws -> Bool
}
