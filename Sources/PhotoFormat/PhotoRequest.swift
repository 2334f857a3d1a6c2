/// The request to a worker: one picture, and its use. Numbers are big-endian.
///
/// | bytes | |
/// |---|---|
/// | 4 | `WGP1` |
/// | 1 | the use: 1 profile, 2 chat, 3 pixels |
/// | 2 | the most pixels of either side, for pixels; else 0 |
/// | 4 | the length of the picture |
/// | … | the picture |
public struct PhotoRequest: Equatable, Sendable {
    /// The first bytes of requests and answers.
    static let mark = Array("WGP1".utf8)
    /// The number of bytes before the picture.
    public static let headBytesCount = 11

    /// The use of the picture.
    public let task: PhotoTask
    /// The length of the picture in bytes.
    public let bytesCount: Int

    /// Creates the head of a request.
    public init(task: PhotoTask, bytesCount: Int) {
        self.task = task
        self.bytesCount = bytesCount
    }

    /// Reads the head of a request; nil if it is none.
    public init?(head bytes: [UInt8]) {
        guard bytes.count == Self.headBytesCount, bytes.starts(with: Self.mark),
            let side = bytes.bigEndian(at: 5, count: 2),
            let count = bytes.bigEndian(at: 7, count: 4)
        else { return nil }
        switch (bytes[4], side) {
        case (1, 0): task = .profile
        case (2, 0): task = .chat
        case (3, 1...PhotoLimits.shownSideMax): task = .pixels(sideMax: side)
        default: return nil
        }
        bytesCount = count
    }

    /// The bytes before the picture.
    public var head: [UInt8] {
        let (use, side): (UInt8, Int) =
            switch task {
            case .profile: (1, 0)
            case .chat: (2, 0)
            case .pixels: (3, task.sizeMax.width)
            }
        var bytes = Self.mark
        bytes.append(use)
        bytes.append(bigEndian: side, count: 2)
        bytes.append(bigEndian: bytesCount, count: 4)
        return bytes
    }
}
