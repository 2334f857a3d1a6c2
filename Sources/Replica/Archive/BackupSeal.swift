internal import Crypto
internal import Foundation

/// The end of a backup's file: the hash of all before it, so that a file which is not whole, or of
/// which one byte changed, is told from a good one. SQLite passes over it.
struct BackupSeal {
    let path: String

    /// How long it is.
    static let bytesCount = 32

    /// Appends it to a database that is closed.
    func append() throws {
        let hash = try hash(ofFirst: try length())
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: hash)
    }

    /// Checks that the file is a backup and what was written.
    /// - Throws: the first ``BackupFault`` found, in the order kind, length, hash.
    func check() throws {
        let header = try read(from: 0, count: Header.bytesCount)
        guard let header = Header(header) else { throw BackupFault.foreign(path) }
        let found = try length()
        let wanted = header.databaseBytes + BackupSeal.bytesCount
        guard found == wanted else {
            throw BackupFault.damaged(path, "it has \(found) bytes of \(wanted)")
        }
        let sealed = try read(from: header.databaseBytes, count: BackupSeal.bytesCount)
        guard try hash(ofFirst: header.databaseBytes) == sealed else {
            throw BackupFault.damaged(path, "its bytes are not those that were written")
        }
    }

    private func length() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    private func read(from start: Int, count: Int) throws -> Data {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        try handle.seek(toOffset: UInt64(clamping: start))
        return try handle.read(upToCount: count) ?? Data()
    }

    private func hash(ofFirst count: Int) throws -> Data {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        var hash = SHA256()
        var left = count
        while left > 0, let piece = try handle.read(upToCount: min(left, BackupSeal.pieceBytes)),
            !piece.isEmpty
        {
            hash.update(data: piece)
            left -= piece.count
        }
        return Data(hash.finalize())
    }

    /// How much is read at a time.
    private static let pieceBytes = 1 << 20

    /// What is read of the first 100 bytes of an SQLite file.
    private struct Header {
        let databaseBytes: Int

        static let bytesCount = 100

        /// - Returns: nil where this is no backup.
        init?(_ bytes: Data) {
            let bytes = [UInt8](bytes)
            guard bytes.count == Header.bytesCount,
                bytes.starts(with: Array("SQLite format 3\0".utf8)),
                Header.number(bytes[68..<72]) == Int(BackupFile.applicationID)
            else { return nil }
            let pageBytes = Header.number(bytes[16..<18])
            // The one size that has no room in two bytes is written as 1.
            databaseBytes = Header.number(bytes[28..<32]) * (pageBytes == 1 ? 1 << 16 : pageBytes)
        }

        private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
            bytes.reduce(0) { $0 << 8 | Int($1) }
        }
    }
}
