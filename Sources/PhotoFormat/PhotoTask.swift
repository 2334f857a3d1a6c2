/// The use that a picture is read for.
public enum PhotoTask: Hashable, Sendable {
    /// A profile photo and its thumbnail, as JPEG.
    case profile
    /// A photo in a chat and its thumbnail, as JPEG.
    case chat
    /// The pixels of a picture, no side over `sideMax`, which is at most
    /// ``PhotoLimits/shownSideMax``.
    case pixels(sideMax: Int)

    /// The largest picture that comes out, in pixels.
    public var sizeMax: PhotoSize {
        switch self {
        case .profile: PhotoLimits.profileSizeMax
        case .chat: PhotoLimits.chatSizeMax
        case .pixels(let sideMax):
            PhotoSize(width: Self.clamped(sideMax), height: Self.clamped(sideMax))
        }
    }

    /// The longest JPEG that comes out, in bytes; 0 if pixels do.
    public var bytesMax: Int {
        switch self {
        case .profile: PhotoLimits.profileBytesMax
        case .chat: PhotoLimits.chatBytesMax
        case .pixels: 0
        }
    }

    /// The longest answer of a worker, in bytes.
    public var answerBytesMax: Int {
        switch self {
        case .profile, .chat:
            bytesMax + PhotoLimits.thumbnailBytesMax + PhotoAnswer.overheadBytesMax
        case .pixels: sizeMax.pixelsCount * 3 + PhotoAnswer.overheadBytesMax
        }
    }

    private static func clamped(_ side: Int) -> Int { min(max(side, 1), PhotoLimits.shownSideMax) }
}
