internal import Glibc

/// The file `starts` beside the database: a few bytes of text, replaced in place.
///
/// It keeps its length, which fits into one sector, so that no power cut leaves half a text: a
/// file's bytes and length reach the disk at different times.
struct StartsFile {
    let path: String

    /// The length of the file; spaces follow the text.
    private static let bytesCount = 32

    /// Returns the text of the file, or nil if it does not exist.
    /// - Throws: ``ReplicaFault``.
    func read() throws(ReplicaFault) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw fault() }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: StartsFile.bytesCount)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
        }
        guard count >= 0 else { throw fault() }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Replaces the text and syncs it, and the file's name too.
    /// - Throws: ``ReplicaFault``; the text of the file is then unknown.
    func write(_ text: String) throws(ReplicaFault) {
        let isNew = unsafe access(path, F_OK) != 0
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw fault() }
        defer { close(descriptor) }
        let padding = String(repeating: " ", count: max(0, StartsFile.bytesCount - text.utf8.count))
        try writeAll(Array((text + padding).utf8), descriptor)
        guard fsync(descriptor) == 0 else { throw fault() }
        if isNew { try syncDirectory() }
    }

    private func writeAll(_ bytes: [UInt8], _ descriptor: Int32) throws(ReplicaFault) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe pwrite(
                    descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw fault() }
            done += count
        }
    }

    /// Waits until the names of all files beside this one are on the disk.
    /// - Throws: ``ReplicaFault``.
    func syncDirectory() throws(ReplicaFault) {
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = unsafe open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw fault() }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw fault() }
    }

    private func fault() -> ReplicaFault { ReplicaFault(code: errno, path: path) }
}
