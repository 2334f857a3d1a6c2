/// The reason a key file cannot be used.
public enum KeyFileFault: Error, Equatable, Sendable {
    /// The file does not exist.
    case notFound(String)
    /// The file to be created exists already.
    case alreadyExists(String)
    /// The path is a directory, a device or a symbolic link.
    case notAFile(String)
    /// Other users may read or change the file.
    case wrongPermissions(String, mode: UInt32)
    /// The file does not have the 32 bytes of a key.
    case wrongLength(String, bytes: Int)
    /// A system call failed.
    case failed(String, doing: String, reason: String)
}

extension KeyFileFault: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .notFound(let path): "there is no key file at \(path)"
        case .alreadyExists(let path): "there is a key file at \(path) already; it is not replaced"
        case .notAFile(let path): "\(path) is not an ordinary file"
        case .wrongPermissions(let path, let mode):
            "the key file \(path) is accessible to other users (mode \(String(mode, radix: 8))); "
                + "run: chmod 600 \(path)"
        case .wrongLength(let path, let bytes):
            "the key file \(path) has \(bytes) bytes instead of 32; restore it from a backup"
        case .failed(let path, let doing, let reason): "cannot \(doing) \(path): \(reason)"
        }
    }
}
