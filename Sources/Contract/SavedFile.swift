/// The answer of a command that writes a file for another program.
public struct SavedFile: Codable, Hashable, Sendable {
    /// The absolute path of the file.
    public var file: ShownPath
    /// Its length in bytes.
    public var bytes: Count

    /// Creates the value.
    public init(file: FilePath, bytesCount: Int) {
        self.file = ShownPath(clipping: file.string)
        bytes = Count(clamping: bytesCount)
    }
}
