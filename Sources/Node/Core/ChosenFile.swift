internal import Files
internal import Foundation
internal import PluginKit

/// A file that the person chose, read as data from outside.
enum ChosenFile {
    /// Reads and parses a file without blocking the caller, since a long one takes a while.
    /// - Parameters:
    ///   - bytesMax: the largest length of the file, in bytes. If it is longer, `parse` receives
    ///     `bytesMax + 1` bytes, and refuses them.
    /// - Throws: ``CommandFault`` naming the file and its fault.
    @concurrent
    static func read<Value: Sendable, Fault: SentenceError>(
        _ path: String, bytesMax: Int, parse: @Sendable ([UInt8]) throws(Fault) -> Value
    ) async throws(CommandFault) -> Value {
        let bytes: [UInt8]
        do {
            bytes = try SafeFile.readRegular(path, bytesMax: bytesMax)
        } catch let error as POSIXError
            where [.EINVAL, .ENOENT, .ENOTDIR, .ENXIO].contains(error.code)
        {
            throw .notFound("There is no regular file at \(path).")
        } catch {
            throw .failed("\(path) cannot be read: \(error.localizedDescription)")
        }
        do { return try parse(bytes) } catch {
            throw .refused("\(path) cannot be used. \(error)")
        }
    }
}
