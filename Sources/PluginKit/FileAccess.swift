/// Files that this person names in a command, such as a calendar of another program.
///
/// ```swift
/// let calendar = try CalendarFile(
///     ics: try await context.files.read(path, bytesMax: FormatLimits.calendarBytesMax),
///     zone: .autoupdatingCurrent)
/// return try await context.files.save(calendar.text, to: path)
/// ```
public protocol FileAccess: Sendable {
    /// Returns the content of a regular file, away from the caller's thread.
    /// - Throws: ``CommandFault/notFound(_:)`` if there is no regular file that can be read,
    ///   ``CommandFault/refused(_:)`` if it is longer than the limit.
    func read(_ path: FilePath, bytesMax: Int) async throws -> [UInt8]
    /// Writes bytes to a new file, which only this person can read; it is on the disk when this
    /// returns. A file that exists is not replaced.
    /// - Throws: ``CommandFault/conflict(_:)`` if there is a file at the path,
    ///   ``CommandFault/refused(_:)`` if it cannot be written.
    func save(_ bytes: [UInt8], to path: FilePath) async throws -> SavedFile
}

extension FileAccess {
    /// Writes a text to a new file, as ``save(_:to:)-([UInt8],_)`` does with bytes.
    public func save(_ text: String, to path: FilePath) async throws -> SavedFile {
        try await save(Array(text.utf8), to: path)
    }
}
