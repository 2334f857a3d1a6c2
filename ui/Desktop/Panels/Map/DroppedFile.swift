import Contract
import Foundation
import Glibc

/// A file that was dropped on the window.
enum DroppedFile {
    /// Returns the bytes of a file, but at most one more than a limit.
    /// - Throws: ``CommandFault`` if it cannot be read or is no regular file.
    static func bytes(of path: String, bytesMax: Int) throws -> [UInt8] {
        // Without waiting, since a pipe would never open.
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(path) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFault.failed(
                "It is a folder, a pipe or a device. Drop a file." as Sentence)
        }
        guard let bytes = try? file.read(upToCount: bytesMax + 1) else { throw unreadable(path) }
        return Array(bytes)
    }

    private static func unreadable(_ path: String) -> CommandFault {
        .failed("“\(name(of: path))” cannot be read. Check that it is a file, and its permissions.")
    }

    /// Returns the name of the file at a path.
    static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
