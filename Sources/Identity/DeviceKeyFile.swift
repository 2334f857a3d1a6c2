internal import Glibc

/// The file that contains a device's key: its 32 bytes and nothing else, readable by its owner
/// only.
public struct DeviceKeyFile: Sendable {
    /// The path of the file.
    public let path: String

    /// The file's permissions: only its owner may read and write.
    public static let mode: UInt32 = 0o600
    /// The permissions of the directory that contains the file.
    public static let directoryMode: UInt32 = 0o700

    /// Creates a reference to a key file. Nothing is read or written.
    public init(path: String) { self.path = path }

    /// Reads the key.
    /// - Throws: the first ``KeyFileFault`` found, in the order existence, kind of file,
    ///   permissions, length.
    public func load() throws(KeyFileFault) -> DeviceKey {
        // Opening without O_NONBLOCK would wait for ever if the path is a named pipe.
        let file = try PosixFile.open(path, O_RDONLY | O_NONBLOCK)
        defer { file.close() }
        let status = try file.status()
        guard status.isRegular else { throw .notAFile(path) }
        guard status.mode & 0o077 == 0 else { throw .wrongPermissions(path, mode: status.mode) }
        guard status.bytesCount == 32 else {
            throw .wrongLength(path, bytes: status.bytesCount)
        }
        let bytes = try file.read(32)
        guard let key = try? DeviceKey(rawRepresentation: bytes) else {
            throw .wrongLength(path, bytes: bytes.count)
        }
        return key
    }

    /// Creates a key and stores it. An existing file is never replaced. The key survives a power
    /// cut after this returns.
    /// - Throws: ``KeyFileFault/alreadyExists(_:)`` or ``KeyFileFault/failed(_:doing:reason:)``.
    public func create(
        using generator: inout some RandomNumberGenerator
    ) throws(KeyFileFault) -> DeviceKey {
        let key = DeviceKey(using: &generator)
        try keep(key, using: &generator)
        return key
    }

    /// Stores an existing key, for example one from a backup. An existing file is never replaced.
    /// The key survives a power cut after this returns.
    /// - Throws: ``KeyFileFault/alreadyExists(_:)`` or ``KeyFileFault/failed(_:doing:reason:)``.
    public func keep(
        _ key: DeviceKey, using generator: inout some RandomNumberGenerator
    ) throws(KeyFileFault) {
        let temporary = "\(path).\(UInt64.random(in: .min ... .max, using: &generator)).new"
        try PosixFile.makeDirectories(directory, mode: DeviceKeyFile.directoryMode)
        do throws(KeyFileFault) {
            try PosixFile.write(key.rawRepresentation, to: temporary, mode: DeviceKeyFile.mode)
            try PosixFile.move(temporary, to: path)
        } catch {
            PosixFile.remove(temporary)
            throw error
        }
        try PosixFile.sync(directory: directory)
    }

    /// Reads the key, or creates one if there is no file.
    /// - Throws: the errors of ``load()`` and ``create(using:)``.
    public func loadOrCreate(
        using generator: inout some RandomNumberGenerator
    ) throws(KeyFileFault) -> DeviceKey {
        do throws(KeyFileFault) {
            return try load()
        } catch .notFound {
            return try create(using: &generator)
        }
    }

    /// Replaces this key file by another. The old key is kept at a third path, and a complete key
    /// is at this path at every moment.
    /// - Throws: ``KeyFileFault/notFound(_:)`` or ``KeyFileFault/failed(_:doing:reason:)``.
    public func replace(by next: DeviceKeyFile, keeping kept: String) throws(KeyFileFault) {
        try PosixFile.link(path, to: kept)
        try PosixFile.rename(next.path, to: path)
        try PosixFile.sync(directory: directory)
    }

    /// The path of the directory.
    private var directory: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
