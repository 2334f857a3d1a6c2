import Foundation

/// A picture from the clipboard in a file that only this person can read, until it is released.
///
/// The node reads pictures from files. The file is in the user's runtime directory, which is in
/// memory, so that nothing of it stays on the disk.
final class PastedPicture: Sendable {
    /// The path of the file.
    let path: String

    /// Writes a picture; nil if there is no room for it.
    init?(_ bytes: [UInt8]) {
        let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"]
        let folder = runtime.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
        path = folder.appending(path: "waggle-pasted-\(UUID().uuidString)").path
        let isWritten = FileManager.default.createFile(
            atPath: path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        guard isWritten else { return nil }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
