internal import Foundation
internal import Glibc
internal import Synchronization

/// A file to which entries are added at the end, each with a checksum, readable only by its owner.
/// Entries that ``append(_:)`` has stored survive a power cut.
///
/// The file is eight bytes that say what it is, and frames: the length of the entry as four bytes
/// and the CRC-32 of its bytes as four, both big-endian, and the entry. What follows the last whole
/// frame was cut off by a crash: it is left out when the file is read, and overwritten by the next
/// entry.
package final class JournalFile: Sendable {
    private static let magic = Array("WGLJRN1\n".utf8)
    private static let headBytes = 8

    private let path: String
    private let entryBytesMax: Int
    private let bytesMax: Int
    /// The length of the readable part of the file; nil until it was read.
    private let length = Mutex<Int?>(nil)

    /// Names a journal, which need not exist.
    /// - Parameters:
    ///   - entryBytesMax: the longest entry.
    ///   - bytesMax: the longest file.
    package init(path: String, entryBytesMax: Int, bytesMax: Int) {
        self.path = path
        self.entryBytesMax = entryBytesMax
        self.bytesMax = bytesMax
    }

    /// Returns all whole entries, oldest first.
    /// - Throws: ``JournalFault``.
    package func entries() throws(JournalFault) -> [[UInt8]] {
        try length.withLock { length throws(JournalFault) in
            let (entries, end) = try read()
            length = end
            return entries
        }
    }

    /// Adds entries at the end, all or none.
    /// - Throws: ``JournalFault``.
    package func append(_ entries: [[UInt8]]) throws(JournalFault) {
        var bytes: [UInt8] = []
        for entry in entries {
            guard (1...entryBytesMax).contains(entry.count) else {
                throw .badEntry(bytes: entry.count, limit: entryBytesMax)
            }
            bytes += Self.bigEndian(UInt32(entry.count)) + Self.bigEndian(CRC32.of(entry[...]))
            bytes += entry
        }
        guard !bytes.isEmpty else { return }
        try length.withLock { length throws(JournalFault) in
            let end = if let length { length } else { try read().end }
            if end == 0 { bytes = Self.magic + bytes }
            guard end + bytes.count <= bytesMax else { throw .full(limit: bytesMax) }
            do { try write(bytes, at: end) } catch { throw .failed(path, "\(error)") }
            length = end + bytes.count
        }
    }

    /// Removes the file.
    /// - Throws: ``JournalFault/failed(_:_:)``.
    package func clear() throws(JournalFault) {
        try length.withLock { length throws(JournalFault) in
            guard unsafe unlink(path) == 0 || errno == ENOENT else {
                throw .failed(path, "\(Self.lastError)")
            }
            length = 0
            do { try SafeFile.sync(directory: directory) } catch {
                throw .failed(path, "\(error)")
            }
        }
    }

    private var directory: String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    private func read() throws(JournalFault) -> (entries: [[UInt8]], end: Int) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return ([], 0) }
        guard descriptor >= 0 else { throw .failed(path, "\(Self.lastError)") }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let bytes: [UInt8]
        do { bytes = Array(try handle.read(upToCount: bytesMax + 1) ?? Data()) } catch {
            throw .failed(path, "\(error)")
        }
        guard bytes.count <= bytesMax else { throw .tooLong(path, limit: bytesMax) }
        guard bytes.starts(with: Self.magic) else {
            // A crash can cut off the first bytes, too.
            guard Self.magic.starts(with: bytes) else { throw .foreign(path) }
            return ([], 0)
        }
        return frames(of: bytes)
    }

    /// Returns the whole frames' entries, and where they end.
    private func frames(of bytes: [UInt8]) -> (entries: [[UInt8]], end: Int) {
        var (entries, end) = ([[UInt8]](), Self.magic.count)
        while bytes.count - end > Self.headBytes {
            let count = Self.number(bytes[end..<end + 4])
            let start = end + Self.headBytes
            guard (1...entryBytesMax).contains(count), count <= bytes.count - start else { break }
            let entry = bytes[start..<start + count]
            guard Self.number(bytes[end + 4..<start]) == Int(CRC32.of(entry)) else { break }
            entries.append(Array(entry))
            end = start + count
        }
        return (entries, end)
    }

    /// Writes bytes at an offset, without what followed there, and waits for the disk.
    private func write(_ bytes: [UInt8], at offset: Int) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.lastError }
        defer { close(descriptor) }
        guard ftruncate(descriptor, offset) == 0 else { throw Self.lastError }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes { buffer in
                unsafe pwrite(descriptor, buffer.baseAddress, buffer.count, offset + written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.lastError }
            written += count
        }
        guard fdatasync(descriptor) == 0 else { throw Self.lastError }
        if offset == 0 { try SafeFile.sync(directory: directory) }
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private static var lastError: POSIXError {
        POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
    }
}

/// The reason a journal could not be read or written.
package enum JournalFault: Error, Hashable, Sendable {
    /// An entry is empty or too long; nothing was stored.
    case badEntry(bytes: Int, limit: Int)
    /// The file would be too long; nothing was stored.
    case full(limit: Int)
    /// The file at the path is longer than a journal can be.
    case tooLong(String, limit: Int)
    /// The file at the path is not a journal of this version.
    case foreign(String)
    /// The system refused it, for this reason; nothing was stored.
    case failed(String, String)
}

/// The checksum CRC-32 of IEEE 802.3, as zlib and PNG have it.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { rest, _ in
            rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xEDB8_8320
        }
    }

    /// Returns the checksum of some bytes.
    static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}
