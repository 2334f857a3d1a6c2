/// The content of a photo, as an answer says where it is.
public struct PhotoContent: Codable, Hashable, Sendable {
    /// The file with the JPEG on this computer; nil while it is not here. It belongs to the node:
    /// read it at once, never change it, and do not remember the path, because the node removes
    /// photos of others when it needs their room.
    public var file: FilePath?
    /// A sentence that says when the photo comes; nil if it is here.
    public var note: ShownSentence?

    /// Names the file of content that is here.
    public init(file: FilePath) { self.file = file }

    /// Says when content comes that is not here.
    public init(note: Sentence) { self.note = ShownSentence(note) }
}
