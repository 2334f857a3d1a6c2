public import Contract

/// The length of the longest name of a file without its ending, in bytes. File systems have 255 for
/// both.
private let nameBytesMax = 200

/// A file that the node writes for other programs, such as a mate as a contact.
public struct Export<Request: CommandRequest> {
    /// The name of the file, such as `Mina.vcf`.
    public let fileName: String
    /// The command that writes it.
    public let command: Command<Request, SavedFile>
    /// Returns the request that writes the file at a path.
    public let request: @MainActor (FilePath) -> Request

    /// Creates an export.
    /// - Parameters:
    ///   - name: what the file is called after, such as a person. Letters and digits of it stay;
    ///     hyphens take the place of everything else.
    ///   - ending: the ending of the file, without a dot.
    public init(
        named name: String, ending: String, _ command: Command<Request, SavedFile>,
        _ request: @escaping @MainActor (FilePath) -> Request
    ) {
        let plain = name.map { $0.isLetter || $0.isNumber ? $0 : "-" }
        var words = String(plain).split(separator: "-").joined(separator: "-")
        while words.utf8.count > nameBytesMax { words.removeLast() }
        fileName = (words.isEmpty ? "waggle" : words) + "." + ending
        self.command = command
        self.request = request
    }
}
