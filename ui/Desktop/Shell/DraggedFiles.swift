import Foundation

/// The folder of the files that are dragged out of the window, for the user alone.
///
/// Another program may read a file at any time after it was dropped, so files stay until the window
/// is closed; of many, the oldest are removed earlier.
@MainActor
final class DraggedFiles {
    /// The number of files that are kept.
    static let filesMax = 32

    private let folder: String
    private var lastNumber = 0

    /// Uses a folder for this alone, and removes what a window that crashed has left there.
    init(folder: String) {
        self.folder = folder
        remove()
    }

    /// Makes room for a file of this name beside the others, which may have the same one.
    /// - Returns: the path for the file, which is not there yet; nil if there is no room for it.
    func newFile(named name: String) -> String? {
        lastNumber += 1
        let place = "\(folder)/\(lastNumber)"
        do {
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        } catch {
            return nil
        }
        try? FileManager.default.removeItem(atPath: "\(folder)/\(lastNumber - Self.filesMax)")
        return "\(place)/\(name)"
    }

    /// Removes the folder with all files.
    func remove() {
        try? FileManager.default.removeItem(atPath: folder)
    }
}
