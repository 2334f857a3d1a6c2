internal import Foundation
internal import PhotoFormat
internal import Photos

/// A picture from the clipboard as a file, for a command that reads one. Only its owner can read
/// the file, which is removed after use.
public enum PastedPicture {
    /// Calls a function with the file of a picture.
    /// - Throws: ``PhotoFault`` if the picture is too long or cannot be written, and what the
    ///   function throws.
    @concurrent
    public static func with<Value: Sendable>(
        _ picture: [UInt8], _ action: @Sendable (_ path: String) async throws -> Value
    ) async throws -> Value {
        guard picture.count <= PhotoLimits.inputBytesMax else { throw PhotoFault.refused(.tooLong) }
        let path = NSTemporaryDirectory() + "waggle-pasted-\(UUID().uuidString)"
        let isWritten = FileManager.default.createFile(
            atPath: path, contents: Data(picture), attributes: [.posixPermissions: 0o600])
        defer { unsafe unlink(path) }
        guard isWritten else {
            throw PhotoFault.unreadable(
                path: path, reason: unsafe String(cString: strerror(errno)))
        }
        return try await action(path)
    }
}
