internal import Crypto
internal import Foundation
internal import Glibc
internal import Records

/// The content of blobs: one file for each hash, in the directory `blobs` beside the database.
///
/// A file gets its name only after all of it is on the disk: `blobs/3f/3f27…`, by the first byte of
/// the hash. Content that is still arriving is in `blobs/partial`, one file for each space, so that
/// it can go on after the link or the program ends.
struct BlobFiles: Sendable {
    let directory: String

    /// Names the directory beside a database.
    init(beside database: String) {
        let parent = URL(fileURLWithPath: database).deletingLastPathComponent()
        directory = parent.appendingPathComponent("blobs").path
    }

    private var draft: String { directory + "/draft" }
    private var partialDirectory: String { directory + "/partial" }

    private func folder(of hash: BlobHash) -> String {
        directory + "/" + String(hash.description.prefix(2))
    }

    /// The path of whole content, which may not be there.
    func path(of hash: BlobHash) -> String { folder(of: hash) + "/" + hash.description }

    // MARK: Whole content

    /// Stores content under its hash.
    /// - Throws: ``ReplicaFault``; no file has the name then, unless the last sync failed.
    func write(_ content: [UInt8], as hash: BlobHash) throws(ReplicaFault) {
        try makeDirectory(directory)
        unsafe unlink(draft)
        let file = try BlobFile(writing: draft)
        defer { unsafe unlink(draft) }
        try file.write(content, at: 0)
        try file.sync()
        try publish(draft, as: hash)
    }

    /// Names a synced file by its hash. It replaces a file of that name in one step.
    private func publish(_ path: String, as hash: BlobHash) throws(ReplicaFault) {
        try makeDirectory(folder(of: hash))
        let target = self.path(of: hash)
        guard unsafe rename(path, target) == 0 else {
            throw ReplicaFault(code: errno, path: target)
        }
        try BlobFile.sync(directory: folder(of: hash))
    }

    /// Returns bytes of the content; nil if there is no such file.
    /// - Parameter count: the maximum number of bytes; at the end there are fewer.
    func read(_ hash: BlobHash, from offset: Int, count: Int) throws(ReplicaFault) -> [UInt8]? {
        guard let file = try BlobFile(reading: path(of: hash)) else { return nil }
        return try file.read(from: offset, count: count)
    }

    /// Whether the file has the content that its name says; nil if there is no file.
    func isSound(_ hash: BlobHash) throws(ReplicaFault) -> Bool? {
        guard let file = try BlobFile(reading: path(of: hash)) else { return nil }
        return try file.hash() == hash
    }

    /// Removes the content, if it is there.
    func remove(_ hash: BlobHash) { unsafe unlink(path(of: hash)) }

    /// The hashes of all files, in no order.
    func hashes() -> [BlobHash] {
        names(in: directory).filter { $0.utf8.count == 2 }.flatMap { folder in
            names(in: directory + "/" + folder).compactMap { BlobHash($0) }
        }
    }

    /// Removes the directory with all content.
    func removeAll() { try? FileManager.default.removeItem(atPath: directory) }

    // MARK: Content that arrives

    private func partialPath(_ hash: BlobHash, _ space: SpaceID) -> String {
        partialDirectory + "/" + space.description + "-" + hash.description
    }

    /// Returns the number of bytes that have arrived.
    func partialBytes(of hash: BlobHash, in space: SpaceID) -> Int {
        var status = stat()
        guard unsafe stat(partialPath(hash, space), &status) == 0 else { return 0 }
        return Int(clamping: status.st_size)
    }

    /// Returns all content that is still arriving.
    /// - Parameter now: the time that a file counts as changed at if its own is later.
    func parts(now: Timestamp) -> [(key: ArrivingContent.Key, part: ArrivingContent.Part)] {
        names(in: partialDirectory).compactMap { name in
            guard let key = partialKey(of: name) else { return nil }
            var status = stat()
            guard unsafe stat(partialDirectory + "/" + name, &status) == 0 else { return nil }
            let changed = Timestamp(milliseconds: Int64(status.st_mtim.tv_sec) * 1000)
            return (
                key, .init(bytes: Int(clamping: status.st_size), changed: min(changed, now))
            )
        }
    }

    private func partialKey(of name: String) -> ArrivingContent.Key? {
        let parts = name.split(separator: "-")
        guard parts.count == 2, let space = SpaceID(parts[0]), let hash = BlobHash(parts[1]) else {
            return nil
        }
        return ArrivingContent.Key(space: space, hash: hash)
    }

    /// Appends bytes that arrived, at the end of those before.
    func append(
        _ bytes: [UInt8], at offset: Int, of hash: BlobHash, in space: SpaceID
    ) throws(ReplicaFault) {
        try makeDirectory(directory)
        try makeDirectory(partialDirectory)
        try BlobFile(writing: partialPath(hash, space)).write(bytes, at: offset)
    }

    /// Stores content of which all bytes have arrived, if it has its hash.
    /// - Returns: false if it has another hash; it is removed then.
    func finishPartial(_ hash: BlobHash, in space: SpaceID) throws(ReplicaFault) -> Bool {
        let path = partialPath(hash, space)
        guard let file = try BlobFile(reading: path), try file.hash() == hash else {
            removePartial(hash, in: space)
            return false
        }
        do {
            try file.sync()
        } catch {
            // The system never writes these bytes to the disk again, so they must arrive again.
            removePartial(hash, in: space)
            throw error
        }
        try publish(path, as: hash)
        return true
    }

    /// Removes the bytes that have arrived, if there are any.
    func removePartial(_ hash: BlobHash, in space: SpaceID) {
        unsafe unlink(partialPath(hash, space))
    }

    /// Removes all partial content of a space.
    func removePartials(of space: SpaceID) { removePartials { other, _ in other != space } }

    /// Removes all partial content except that of these blobs, and drafts of a write that was
    /// interrupted.
    func removePartials(except kept: (SpaceID, BlobHash) throws -> Bool) rethrows {
        unsafe unlink(draft)
        for name in names(in: partialDirectory) {
            if let key = partialKey(of: name), try kept(key.space, key.hash) { continue }
            unsafe unlink(partialDirectory + "/" + name)
        }
    }

    // MARK: Directories

    private func names(in directory: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    }

    /// Makes a directory for the owner alone, unless it exists.
    private func makeDirectory(_ path: String) throws(ReplicaFault) {
        guard unsafe mkdir(path, 0o700) != 0 else {
            return try BlobFile.sync(
                directory: URL(fileURLWithPath: path).deletingLastPathComponent().path)
        }
        guard errno == EEXIST else { throw ReplicaFault(code: errno, path: path) }
    }
}
