public import Localization
public import PhotoFormat

/// The reason a picture is not read.
///
/// ``sentence`` is about a picture that this person chose; ``sentence(aboutPhotoOf:)`` about one
/// that another person sent.
public enum PhotoFault: SentenceError, Equatable {
    /// The picture itself is refused.
    case refused(PhotoRefusal)
    /// The file cannot be read.
    case unreadable(path: String, reason: String)
    /// The path is a folder, a device or the like.
    case notAFile(path: String)
    /// ``PhotoLimits/waitingCountMax`` pictures are waiting already.
    case busy
    /// The worker is not installed.
    case notInstalled(lookedIn: [String])
    /// The worker could not be started.
    case notStarted(program: String, reason: String)
    /// The worker ended without an answer, though no limit ended it.
    case broken(program: String, exitCode: Int32)
    /// The task that asked was cancelled, and the worker was ended.
    case cancelled

    /// Whether another picture would be read. Otherwise the fault is about this device, which may
    /// read the same picture at another time.
    public var isAboutPicture: Bool {
        switch self {
        case .refused(.unfenced), .busy, .notInstalled, .notStarted, .broken, .cancelled: false
        case .refused, .unreadable, .notAFile: true
        }
    }

    /// A sentence for the person who chose the picture.
    public var sentence: Sentence {
        switch self {
        case .refused(.tooLong):
            "The picture has more than \(Self.mebibytesMax) MiB. Choose a smaller one."
        case .refused(.tooManyPixels):
            "The picture has more than \(Self.megapixelsMax) megapixels. Choose a smaller one."
        case .refused(.unknownFormat):
            "This is neither a JPEG nor a PNG picture. Choose another one, or save it as "
                + "JPEG first."
        case .refused(.damaged):
            "The picture is damaged or incomplete. Choose another one."
        case .refused(.tooCostly):
            "The picture takes too much memory or time to read. Choose another one."
        default: general
        }
    }

    /// Returns a sentence for a person who did not choose the picture.
    /// - Parameter name: the name of the person who sent it.
    public func sentence(aboutPhotoOf name: String) -> Sentence {
        switch self {
        case .refused(.tooLong):
            "The photo of \(name) has more than \(Self.mebibytesMax) MiB, so it is not "
                + "shown. Ask them for a smaller one."
        case .refused(.tooManyPixels):
            "The photo of \(name) has more than \(Self.megapixelsMax) megapixels, so it "
                + "is not shown. Ask them for a smaller one."
        case .refused(.unknownFormat):
            "The photo of \(name) is neither a JPEG nor a PNG picture, so it is not "
                + "shown. Ask them for another one."
        case .refused(.damaged):
            "The photo of \(name) is damaged or incomplete, so it is not shown. Ask them "
                + "for another one."
        case .refused(.tooCostly):
            "The photo of \(name) takes too much memory or time to read, so it is not "
                + "shown. Ask them for another one."
        default: general
        }
    }

    /// A sentence about this device. It is the same for own pictures and for those of others.
    private var general: Sentence {
        switch self {
        case .refused(.unfenced):
            "This system does not let a program give up its rights (seccomp), so no "
                + "picture is read. Use a kernel with seccomp filters."
        case .unreadable(let path, let reason):
            "\(path) cannot be read: \(reason). Check the file, or choose another one."
        case .notAFile(let path): "\(path) is not a file. Choose a picture."
        case .busy: "Very many pictures are being read. Try again in a moment."
        case .notInstalled(let folders):
            "The program “waggle-photo”, which reads pictures, is not in "
                + "\(folders.joined(separator: ", ")). Install Waggle again."
        case .notStarted(let program, let reason):
            "\(program), which reads pictures, could not be started: \(reason). Install "
                + "Waggle again."
        case .broken(let program, let exitCode):
            "\(program), which reads pictures, ended with exit code \(exitCode). Install "
                + "Waggle again."
        case .cancelled: "The picture is no longer wanted."
        case .refused: "The picture cannot be read. Choose another one."
        }
    }

    private static let mebibytesMax = PhotoLimits.inputBytesMax / 1024 / 1024
    private static let megapixelsMax = PhotoLimits.pixelsMax / 1_000_000
}
