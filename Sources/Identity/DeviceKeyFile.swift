internal import Glibc

/// The file a device's key is kept in: its 32 bytes and nothing else, readable by its owner only.
public struct DeviceKeyFile: Sendable {
    /// Where the file is.
    public let path: String

    /// The permissions of the file: its owner reads and writes, nobody else anything.
    public static let mode: UInt32 = 0o600
    /// The permissions of the directory it stands in.
    public static let directoryMode: UInt32 = 0o700

    /// Names the file; nothing is read or written yet.
    public init(path: String) { self.path = path }

    /// Reads the key.
    /// - Throws: the first ``KeyFileFault`` found, in the order existence, kind of file,
    ///   permissions, length.
    public func load() throws(KeyFileFault) -> DeviceKey {
        // Not blocking, because opening a named pipe would wait for its writer for ever.
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

    /// Makes a key and keeps it; a file that is there already is never replaced. When this
    /// returns, the key survives a power cut.
    /// - Throws: ``KeyFileFault/alreadyExists(_:)`` or ``KeyFileFault/failed(_:doing:reason:)``.
    public func create(
        using generator: inout some RandomNumberGenerator
    ) throws(KeyFileFault) -> DeviceKey {
        let key = DeviceKey(using: &generator)
        try keep(key, using: &generator)
        return key
    }

    /// Keeps a key that there is already, as one from a backup; a file that is there is never
    /// replaced. When this returns, the key survives a power cut.
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

    /// Reads the key, or makes one where there is no file yet.
    /// - Throws: what ``load()`` and ``create(using:)`` throw.
    public func loadOrCreate(
        using generator: inout some RandomNumberGenerator
    ) throws(KeyFileFault) -> DeviceKey {
        do throws(KeyFileFault) {
            return try load()
        } catch .notFound {
            return try create(using: &generator)
        }
    }

    /// Puts another key file in this one's place. The key that was here stays under a third name,
    /// and at every moment there is a whole key under this one.
    /// - Throws: ``KeyFileFault/notFound(_:)`` or ``KeyFileFault/failed(_:doing:reason:)``.
    public func replace(by next: DeviceKeyFile, keeping kept: String) throws(KeyFileFault) {
        try PosixFile.link(path, to: kept)
        try PosixFile.rename(next.path, to: path)
        try PosixFile.sync(directory: directory)
    }

    /// The path up to its last slash.
    private var directory: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
