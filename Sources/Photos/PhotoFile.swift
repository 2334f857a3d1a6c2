internal import Glibc
internal import PhotoFormat

/// A file that a person chose.
enum PhotoFile {
    /// Returns the content of a regular file of at most ``PhotoLimits/inputBytesMax`` bytes.
    /// - Throws: ``PhotoFault/unreadable(path:reason:)``, ``PhotoFault/notAFile(path:)``,
    ///   ``PhotoFault/refused(_:)``
    static func read(_ path: String) throws(PhotoFault) -> [UInt8] {
        // A pipe or a device must neither block here nor become the terminal of this process.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw lastFault(path) }
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw lastFault(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .notAFile(path: path)
        }
        guard status.st_size <= PhotoLimits.inputBytesMax else { throw .refused(.tooLong) }
        return try read(descriptor, path)
    }

    /// Reads to the end. The file may grow meanwhile: one byte over the limit is read at most.
    private static func read(_ descriptor: Int32, _ path: String) throws(PhotoFault) -> [UInt8] {
        let capacity = PhotoLimits.inputBytesMax + 1
        var fault: PhotoFault?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
            while filled < capacity, let base = buffer.baseAddress {
                let count = unsafe Glibc.read(descriptor, base + filled, capacity - filled)
                if count < 0, errno == EINTR { continue }
                if count < 0 { fault = lastFault(path) }
                guard count > 0 else { return }
                filled += count
            }
        }
        if let fault { throw fault }
        guard bytes.count <= PhotoLimits.inputBytesMax else { throw .refused(.tooLong) }
        return bytes
    }

    private static func lastFault(_ path: String) -> PhotoFault {
        .unreadable(path: path, reason: unsafe String(cString: strerror(errno)))
    }
}
