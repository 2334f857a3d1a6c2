internal import Crypto
internal import Foundation

/// The last bytes of a backup's file: a hash of all bytes before them. It detects a file that is
/// incomplete or changed. SQLite ignores it.
struct BackupSeal {
    let path: String

    /// The length of the seal.
    static let bytesCount = 32

    /// Appends the seal to a closed database.
    func append() throws {
        let hash = try hash(ofFirst: try length())
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: hash)
    }

    /// Checks that the file is a backup and is unchanged.
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
            throw BackupFault.damaged(path, "its content has changed")
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

    /// The number of bytes read at a time.
    private static let pieceBytes = 1 << 20

    /// The fields used of an SQLite file's first 100 bytes.
    private struct Header {
        let databaseBytes: Int

        static let bytesCount = 100

        /// - Returns: nil if the bytes are not the header of a backup.
        init?(_ bytes: Data) {
            let bytes = [UInt8](bytes)
            guard bytes.count == Header.bytesCount,
                bytes.starts(with: Array("SQLite format 3\0".utf8)),
                Header.number(bytes[68..<72]) == Int(BackupFile.applicationID)
            else { return nil }
            let pageBytes = Header.number(bytes[16..<18])
            // 65536 does not fit into two bytes; SQLite writes it as 1.
            databaseBytes = Header.number(bytes[28..<32]) * (pageBytes == 1 ? 1 << 16 : pageBytes)
        }

        private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
            bytes.reduce(0) { $0 << 8 | Int($1) }
        }
    }
}
