internal import Glibc

/// The system calls that a key file needs and Foundation does not offer: exclusive creation,
/// permissions from the first moment, and syncing of file and directory.
struct PosixFile {
    private let descriptor: Int32
    private let path: String

    /// The properties of an open file.
    struct Status {
        let isRegular: Bool
        /// The permission bits.
        let mode: UInt32
        let bytesCount: Int
    }

    /// Opens a file. Symbolic links are refused.
    static func open(
        _ path: String, _ flags: Int32, mode: UInt32 = 0
    ) throws(KeyFileFault) -> PosixFile {
        let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw fault(path, doing: "open") }
        return PosixFile(descriptor: descriptor, path: path)
    }

    /// Creates and writes a file and waits until it is on the disk.
    static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws(KeyFileFault) {
        let file = try open(path, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
        defer { file.close() }
        guard fchmod(file.descriptor, mode) == 0 else { throw fault(path, doing: "protect") }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe Glibc.write(file.descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw fault(path, doing: "write") }
            rest = rest.dropFirst(count)
        }
        guard fsync(file.descriptor) == 0 else { throw fault(path, doing: "sync") }
    }

    /// Renames a file unless the target exists. A hard link is used because it cannot replace a
    /// file that appears at the same moment.
    static func move(_ source: String, to target: String) throws(KeyFileFault) {
        guard unsafe Glibc.link(source, target) == 0 else { throw fault(target, doing: "create") }
        remove(source)
    }

    /// Adds a second name to a file. A file that has this name already stays unchanged.
    static func link(_ source: String, to target: String) throws(KeyFileFault) {
        guard unsafe Glibc.link(source, target) == 0 || errno == EEXIST else {
            throw fault(source, doing: "keep")
        }
    }

    /// Renames a file and replaces the target in one step.
    static func rename(_ source: String, to target: String) throws(KeyFileFault) {
        guard unsafe Glibc.rename(source, target) == 0 else { throw fault(source, doing: "rename") }
    }

    /// Removes a file if it is there.
    static func remove(_ path: String) { unsafe unlink(path) }

    /// Waits until a directory's entries are on the disk.
    static func sync(directory: String) throws(KeyFileFault) {
        let file = try open(directory, O_RDONLY | O_DIRECTORY)
        defer { file.close() }
        guard fsync(file.descriptor) == 0 else { throw fault(directory, doing: "sync") }
    }

    /// Creates a directory and its parents. Existing ones stay unchanged.
    static func makeDirectories(_ path: String, mode: UInt32) throws(KeyFileFault) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made == "/" ? "" : "/") + part
            guard unsafe mkdir(made, mode) == 0 || errno == EEXIST else {
                throw fault(made, doing: "create directory")
            }
        }
    }

    func status() throws(KeyFileFault) -> Status {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw PosixFile.fault(path, doing: "read")
        }
        return Status(
            isRegular: status.st_mode & S_IFMT == S_IFREG, mode: status.st_mode & 0o7777,
            bytesCount: Int(status.st_size))
    }

    /// Reads up to `count` bytes.
    func read(_ count: Int) throws(KeyFileFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let found = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        }
        guard found >= 0 else { throw PosixFile.fault(path, doing: "read") }
        return Array(bytes.prefix(found))
    }

    func close() { _ = Glibc.close(descriptor) }

    private static func fault(_ path: String, doing: String) -> KeyFileFault {
        let code = errno
        switch code {
        case ENOENT: return .notFound(path)
        case EEXIST: return .alreadyExists(path)
        case ELOOP: return .notAFile(path)
        default:
            return .failed(path, doing: doing, reason: unsafe String(cString: strerror(code)))
        }
    }
}
