internal import Foundation
internal import GRDB

/// How often a replica was started, by the database and by the synced file `starts` beside it.
///
/// Where the two disagree one of them was restored or copied: the device may have written batches
/// that this database does not know, and numbering on from it could fork the device's log.
public struct StartCount: Hashable, Sendable {
    /// This start's count in the database.
    public let inDatabase: Int64
    /// This start's count in the file; what it held before, where the two disagree.
    public let inFile: Int64?

    /// Whether the two disagree.
    public var disagrees: Bool { inDatabase != inFile }
}

/// Keeps the two counts. A kill at any moment leaves them agreeing, because the file first says
/// which count is on its way.
struct StartCounter {
    let pool: DatabasePool
    let file: String

    /// Counts this start. Where the counts disagree the file stays as it was, so that every later
    /// start sees it too until ``settle(_:)``.
    func count() throws -> StartCount {
        let before = try pool.read { try Int64.fetchOne($0, sql: "SELECT count FROM start") } ?? 0
        let (written, isUnderWay) = try read()
        let agrees = written == before || isUnderWay && written == before + 1
        guard agrees || written == nil && before == 0 else {
            let next = max(before, written ?? 0) + 1
            try store(next)
            return StartCount(inDatabase: next, inFile: written)
        }
        try write("\(before + 1) starting\n")
        try store(before + 1)
        try write("\(before + 1)\n")
        return StartCount(inDatabase: before + 1, inFile: before + 1)
    }

    /// Makes the file agree with the database again.
    func settle(_ count: StartCount) throws {
        try write("\(count.inDatabase)\n")
    }

    private func store(_ count: Int64) throws {
        try pool.write { try $0.execute(sql: "UPDATE start SET count = ?", arguments: [count]) }
    }

    private func read() throws -> (count: Int64?, isUnderWay: Bool) {
        guard let bytes = FileManager.default.contents(atPath: file) else { return (nil, false) }
        let words = String(decoding: bytes.prefix(64), as: UTF8.self).split { $0.isWhitespace }
        return (words.first.flatMap { Int64($0) }, words.count == 2)
    }

    /// Replaces the file's few bytes in place, which one sector holds, and waits for the disk.
    private func write(_ text: String) throws {
        do {
            let isThere = FileManager.default.fileExists(atPath: file)
            guard
                isThere
                    || FileManager.default.createFile(
                        atPath: file, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            guard let handle = FileHandle(forUpdatingAtPath: file) else {
                throw CocoaError(.fileWriteNoPermission)
            }
            defer { try? handle.close() }
            try handle.write(contentsOf: Data(text.utf8))
            try handle.truncate(atOffset: UInt64(text.utf8.count))
            try handle.synchronize()
        } catch {
            throw ReplicaFault.notWritable(path: file, detail: error.localizedDescription)
        }
    }
}
