public import Foundation

/// The files of one directory as programs see them, and as the disk holds them.
///
/// Only a sync of a file writes its changes to the disk, and only a sync of its directory writes
/// its name. Before that, a power cut may lose any of them. Names may lie in directories within the
/// directory; those themselves are not modelled, and are there once a name in them is.
public struct DiskModel: Sendable {
    private var files: [Int: File] = [:]
    /// The names that programs see.
    private var names: [String: Int] = [:]
    private var durableNames: [String: Int] = [:]
    private var pendingNames: [NameChange] = []
    private var nextFile = 0

    private struct File {
        /// The bytes that programs read.
        var seen = Data()
        /// The bytes that a sync wrote to the disk.
        var durable = Data()
        /// The changes since then, in order.
        var pending: [FileChange] = []
    }

    /// A change of one file that a power cut may keep or lose.
    enum FileChange {
        /// Bytes within one sector, limited to the file's length.
        case sector(at: Int, Data)
        case length(Int)

        var isBytes: Bool { if case .sector = self { true } else { false } }
    }

    /// Names that one call adds or removes; a power cut keeps all or none of them, as long as no
    /// sync of a directory wrote some of them.
    private struct NameChange {
        /// The file of each name; nil for a removed name.
        var files: [String: Int?]
    }

    /// Creates a directory whose files are all on the disk.
    public init(_ contents: [String: Data] = [:]) {
        for (name, bytes) in contents.sorted(by: { $0.key < $1.key }) {
            names[name] = nextFile
            files[nextFile] = File(seen: bytes, durable: bytes)
            nextFile += 1
        }
        durableNames = names
    }

    /// The files that programs see.
    public var seen: [String: Data] { names.compactMapValues { files[$0]?.seen } }

    /// Applies an event.
    public mutating func apply(_ event: DiskEvent) {
        switch event.action {
        case .create: create(event.name)
        case .write(let offset, let bytes):
            change(event.name) { DiskModel.write(bytes, at: offset, &$0) }
        case .resize(let length):
            change(event.name) { file in
                DiskModel.apply(.length(length), to: &file.seen)
                file.pending.append(.length(length))
            }
        case .sync where names[event.name] == nil: syncNames(in: event.name)
        case .sync:
            change(event.name) { file in
                for change in file.pending { DiskModel.apply(change, to: &file.durable) }
                file.pending = []
            }
        case .failedSync:
            // The file system records the lengths itself, in its journal.
            change(event.name) { $0.pending.removeAll { $0.isBytes } }
        case .remove:
            change(names: [event.name: nil])
        case .link(let target):
            if let file = names[event.name] { change(names: [target: file]) }
        case .rename(let target):
            if let file = names[event.name] { change(names: [target: file, event.name: nil]) }
        case .syncDirectory: syncNames(in: "")
        case .open, .read, .map, .marker, .failed: break
        }
    }

    /// Writes the names in a directory to the disk.
    private mutating func syncNames(in directory: String) {
        for index in pendingNames.indices {
            let written = pendingNames[index].files.filter {
                DiskModel.directory(of: $0.key) == directory
            }
            for (name, file) in written {
                durableNames[name] = file
                pendingNames[index].files[name] = nil
            }
        }
        pendingNames.removeAll { $0.files.isEmpty }
    }

    private static func directory(of name: String) -> String {
        name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
    }

    private mutating func create(_ name: String) {
        files[nextFile] = File()
        change(names: [name: nextFile])
        nextFile += 1
    }

    private mutating func change(names changed: [String: Int?]) {
        for (name, file) in changed { names[name] = file }
        pendingNames.append(NameChange(files: changed))
    }

    private mutating func change(_ name: String, _ body: (inout File) -> Void) {
        guard let number = names[name], var file = files.removeValue(forKey: number) else { return }
        body(&file)
        files[number] = file
    }

    /// Records a write; one past the end changes the length and, separately, the bytes.
    private static func write(_ bytes: Data, at offset: Int, _ file: inout File) {
        let end = offset + bytes.count
        if end > file.seen.count {
            apply(.length(end), to: &file.seen)
            file.pending.append(.length(end))
        }
        file.seen.replaceSubrange(offset..<end, with: bytes)
        var start = offset
        while start < end {
            let next = min(end, (start / sectorBytes + 1) * sectorBytes)
            file.pending.append(
                .sector(at: start, bytes.dropFirst(start - offset).prefix(next - start)))
            start = next
        }
    }

    private static func apply(_ change: FileChange, to contents: inout Data) {
        switch change {
        case .length(let length) where length < contents.count:
            contents.removeSubrange(length...)
        case .length(let length): contents.append(Data(count: length - contents.count))
        case .sector(let offset, let bytes):
            guard offset < contents.count else { return }
            let fitting = bytes.prefix(contents.count - offset)
            contents.replaceSubrange(offset..<offset + fitting.count, with: fitting)
        }
    }

    /// The smallest part of a file that a disk writes as a whole.
    static let sectorBytes = 512
}

extension DiskModel {
    /// Returns the files that a power cut at this moment leaves.
    public func afterPowerCut(
        _ damage: Damage, using generator: inout SeededGenerator
    ) -> [String: Data] {
        var left = durableNames
        for change in damage.kept(of: pendingNames, using: &generator) {
            for (name, file) in change.files { left[name] = file }
        }
        var contents: [String: Data] = [:]
        for (name, number) in left.sorted(by: { $0.key < $1.key }) {
            guard let file = files[number] else { continue }
            var bytes = file.durable
            for change in damage.kept(of: file.pending, using: &generator) {
                DiskModel.apply(change, to: &bytes)
            }
            contents[name] = bytes
        }
        return contents
    }
}
