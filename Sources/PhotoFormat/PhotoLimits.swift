/// The limits of photos: of what is read, of what it may cost, and of what comes out.
public enum PhotoLimits {
    /// The longest picture that is read, in bytes.
    public static let inputBytesMax = 20 * 1024 * 1024
    /// The most pixels of a picture that is read.
    public static let pixelsMax = 20_000_000

    /// The largest profile photo, in pixels.
    public static let profileSizeMax = PhotoSize(width: 392, height: 591)
    /// The largest photo in a chat, in pixels.
    public static let chatSizeMax = PhotoSize(width: 1600, height: 1600)
    /// The most pixels of either side of a picture that is decoded to be shown.
    public static let shownSideMax = 1600
    /// The size of each thumbnail, in pixels.
    public static let thumbnailSize = PhotoSize(width: 100, height: 100)

    /// The longest profile photo, in bytes.
    public static let profileBytesMax = 256 * 1024
    /// The longest photo in a chat, in bytes.
    public static let chatBytesMax = 1024 * 1024
    /// The longest thumbnail, in bytes.
    public static let thumbnailBytesMax = 8 * 1024

    /// The address space of a worker, in bytes: a picture of 20 megapixels with four channels, its
    /// input, and the coefficients of a progressive JPEG fit.
    public static let workerMemoryBytesMax = 512 * 1024 * 1024
    /// The processor time of a worker.
    public static let workerProcessorTimeMax = Duration.seconds(10)
    /// The time from the start of a worker to the end of its answer.
    public static let workerTimeMax = Duration.seconds(20)
    /// The most pictures that wait for a worker.
    public static let waitingCountMax = 256
}
