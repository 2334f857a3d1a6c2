internal import Files
internal import Foundation
package import PluginKit

/// Files that a person names in a command; see ``FileAccess``.
package enum PersonFile {
    /// Returns the content of a regular file, away from the caller's thread.
    /// - Throws: ``CommandFault/notFound(_:)``, ``CommandFault/refused(_:)``
    @concurrent package static func read(
        _ path: FilePath, bytesMax: Int
    ) async throws -> [UInt8] {
        guard let bytes = try? SafeFile.readRegular(path.string, bytesMax: bytesMax) else {
            throw CommandFault.notFound(
                "There is no file at \(path) that can be read. Check the name, and its permissions."
            )
        }
        guard bytes.count <= bytesMax else {
            throw CommandFault.refused("\(path) has more than \(bytesMax) bytes.")
        }
        return bytes
    }

    /// Writes bytes to a new file, away from the caller's thread.
    /// - Throws: ``CommandFault/conflict(_:)``, ``CommandFault/refused(_:)``
    @concurrent package static func save(
        _ bytes: [UInt8], to path: FilePath
    ) async throws -> SavedFile {
        do {
            try SafeFile.writeNew(bytes, to: path.string)
        } catch let error as POSIXError where error.code == .EEXIST {
            throw CommandFault.conflict(
                "There is already a file at \(path), which is not replaced; choose another name.")
        } catch {
            throw CommandFault.refused("\(path) cannot be written: \(error.localizedDescription)")
        }
        return SavedFile(file: path, bytesCount: bytes.count)
    }
}
