import Contract
import Files
import Foundation

/// A file that was dropped on the window.
enum DroppedFile {
    /// Returns the bytes of a file, but at most one more than a limit.
    /// - Throws: ``CommandFault`` if it cannot be read or is no regular file.
    static func bytes(of path: String, bytesMax: Int) throws -> [UInt8] {
        do {
            return try SafeFile.readRegular(path, bytesMax: bytesMax)
        } catch let error as POSIXError where error.code == .EINVAL {
            throw CommandFault.failed(
                "It is a folder, a pipe or a device. Drop a file." as Sentence)
        } catch {
            throw CommandFault.failed(
                "“\(name(of: path))” cannot be read. Check that it is a file, and its permissions.")
        }
    }

    /// Returns the name of the file at a path.
    static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
