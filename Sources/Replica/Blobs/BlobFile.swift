internal import Crypto
internal import Glibc
internal import Records

/// One open file with content of a blob. It is closed with the value.
final class BlobFile {
    private let descriptor: Int32
    private let path: String

    /// The number of bytes that are hashed at a time: few enough for the processor's cache, and for
    /// memory that the allocator has at hand.
    private static let pieceBytes = 64 * 1024

    /// Opens a file to write, and makes it if it does not exist.
    init(writing path: String) throws(ReplicaFault) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        descriptor = unsafe open(path, flags, 0o600)
        self.path = path
        guard descriptor >= 0 else { throw ReplicaFault(code: errno, path: path) }
    }

    /// Opens a file to read; nil if it does not exist.
    init?(reading path: String) throws(ReplicaFault) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        self.path = path
        guard descriptor < 0 else { return }
        guard errno != ENOENT else { return nil }
        throw ReplicaFault(code: errno, path: path)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Writes all bytes at an offset.
    func write(_ bytes: [UInt8], at offset: Int) throws(ReplicaFault) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe pwrite(
                    descriptor, $0.baseAddress?.advanced(by: done), $0.count - done,
                    off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw fault }
            done += count
        }
    }

    /// Reads up to so many bytes from an offset; fewer at the end of the file.
    func read(from offset: Int, count: Int) throws(ReplicaFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.removeLast(count - (try read(into: &bytes, from: offset)))
        return bytes
    }

    /// Reads from an offset until the buffer is full or the file ends.
    /// - Returns: the number of bytes that were read.
    private func read(into bytes: inout [UInt8], from offset: Int) throws(ReplicaFault) -> Int {
        var done = 0
        while done < bytes.count {
            let found = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(
                    descriptor, $0.baseAddress?.advanced(by: done), $0.count - done,
                    off_t(offset + done))
            }
            if found < 0, errno == EINTR { continue }
            guard found >= 0 else { throw fault }
            guard found > 0 else { break }
            done += found
        }
        return done
    }

    /// Hashes the whole file.
    func hash() throws(ReplicaFault) -> BlobHash? {
        var hash = SHA256()
        var offset = 0
        var piece = [UInt8](repeating: 0, count: BlobFile.pieceBytes)
        while true {
            let count = try read(into: &piece, from: offset)
            guard count > 0 else { break }
            hash.update(data: piece[..<count])
            offset += count
        }
        return BlobHash(bytes: Array(hash.finalize()))
    }

    /// Waits until the content is on the disk.
    func sync() throws(ReplicaFault) {
        guard fsync(descriptor) == 0 else { throw fault }
    }

    /// Waits until a directory's entries are on the disk.
    static func sync(directory: String) throws(ReplicaFault) {
        let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ReplicaFault(code: errno, path: directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw ReplicaFault(code: errno, path: directory) }
    }

    private var fault: ReplicaFault { ReplicaFault(code: errno, path: path) }
}
