internal import Foundation
internal import PluginKit

/// A file that the person chose, read as data from outside.
enum ChosenFile {
    /// Reads and parses a file without blocking the caller, since a long one takes a while.
    /// - Parameters:
    ///   - bytesMax: the length of the longest file that is read.
    ///   - tooLong: returns the fault of a longer file.
    /// - Throws: ``CommandFault`` naming the file and its fault.
    @concurrent
    static func read<Value: Sendable, Fault: SentenceError>(
        _ path: String, bytesMax: Int, tooLong: @Sendable (Int) -> Fault,
        parse: @Sendable ([UInt8]) throws(Fault) -> Value
    ) async throws(CommandFault) -> Value {
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        // Reading anything but a regular file could block, or never end.
        guard let values = try? url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey]),
            values.isRegularFile == true
        else { throw .notFound("There is no regular file at \(path).") }
        if let bytes = values.fileSize, bytes > bytesMax { throw refusal(path, tooLong(bytes)) }
        let content: Data
        do { content = try Data(contentsOf: url) } catch {
            throw .failed("\(path) cannot be read: \(error.localizedDescription)")
        }
        do { return try parse(Array(content)) } catch { throw refusal(path, error) }
    }

    private static func refusal(_ path: String, _ fault: some SentenceError) -> CommandFault {
        .refused("\(path) cannot be used. \(fault)")
    }
}
