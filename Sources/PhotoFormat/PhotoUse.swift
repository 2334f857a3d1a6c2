/// The use of a photo that is encoded.
public enum PhotoUse: Sendable {
    /// A profile photo.
    case profile
    /// A photo in a chat.
    case chat

    /// The task of the worker that encodes it.
    public var task: PhotoTask {
        switch self {
        case .profile: .profile
        case .chat: .chat
        }
    }
}

/// The place that a picture comes from.
public enum PhotoSource: Hashable, Sendable {
    /// A file of this device, which is read away from the caller's thread.
    case file(path: String)
    /// The content of a picture.
    case bytes([UInt8])
}
