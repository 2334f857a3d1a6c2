public import Localization
internal import Records

/// The reasons content cannot be stored.
public enum BlobFault: Error, Hashable, Sendable {
    /// The content is empty or too long, or its media type is malformed.
    case malformed(bytes: Int, kind: String)
}

extension BlobFault: SentenceError {
    /// One sentence that says what is wrong and what to do.
    public var sentence: Sentence {
        switch self {
        case .malformed(let bytes, let kind):
            "\(bytes) bytes of \(kind) cannot be stored; use 1 to \(Limits.blobBytesMax) bytes and "
                + "a media type such as image/jpeg"
        }
    }
}
