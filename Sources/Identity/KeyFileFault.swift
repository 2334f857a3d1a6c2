/// Why a key file cannot be used.
public enum KeyFileFault: Error, Equatable, Sendable {
    /// There is no file.
    case notFound(String)
    /// A file stands where one was to be made.
    case alreadyExists(String)
    /// The path names a directory or a device, or a symbolic link.
    case notAFile(String)
    /// Others than its owner may read or change the file.
    case wrongPermissions(String, mode: UInt32)
    /// The file is no key: a key has 32 bytes.
    case wrongLength(String, bytes: Int)
    /// The system refused.
    case failed(String, doing: String, reason: String)
}

extension KeyFileFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let path): "there is no key file at \(path)"
        case .alreadyExists(let path): "there is a key file at \(path) already; it is not replaced"
        case .notAFile(let path): "\(path) is not an ordinary file"
        case .wrongPermissions(let path, let mode):
            "the key file \(path) may be used by others (mode \(String(mode, radix: 8))); "
                + "run: chmod 600 \(path)"
        case .wrongLength(let path, let bytes):
            "the key file \(path) has \(bytes) bytes where a key has 32; restore it from a backup"
        case .failed(let path, let doing, let reason): "cannot \(doing) \(path): \(reason)"
        }
    }
}
