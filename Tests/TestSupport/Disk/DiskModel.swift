public import Foundation

/// The files of one directory as programs see them, and as the disk holds them.
///
/// Only a sync brings a file's changes to the disk, and only a sync of the directory its names.
/// Until then a power cut may leave any of them out.
public struct DiskModel: Sendable {
    private var files: [Int: File] = [:]
    /// The names as programs see them.
    private var names: [String: Int] = [:]
    private var durableNames: [String: Int] = [:]
    private var pendingNames: [NameChange] = []
    private var nextFile = 0

    private struct File {
        /// What programs read.
        var seen = Data()
        /// What a sync has brought to the disk.
        var durable = Data()
        /// What was done since, in order.
        var pending: [FileChange] = []
    }

    /// A change of one file that the disk may take or leave.
    enum FileChange {
        /// Bytes within one sector, as far as the file is long enough for them.
        case sector(at: Int, Data)
        case length(Int)

        var isBytes: Bool { if case .sector = self { true } else { false } }
    }

    private struct NameChange {
        let name: String
        /// Nil for a removal.
        let file: Int?
    }

    /// A directory whose files are all on the disk.
    public init(_ contents: [String: Data] = [:]) {
        for (name, bytes) in contents.sorted(by: { $0.key < $1.key }) {
            names[name] = nextFile
            files[nextFile] = File(seen: bytes, durable: bytes)
            nextFile += 1
        }
        durableNames = names
    }

    /// What programs see.
    public var seen: [String: Data] { names.compactMapValues { files[$0]?.seen } }

    /// Does what was done.
    public mutating func apply(_ event: DiskEvent) {
        switch event.action {
        case .create: create(event.name)
        case .write(let place, let bytes):
            change(event.name) { DiskModel.write(bytes, at: place, &$0) }
        case .resize(let length):
            change(event.name) { file in
                DiskModel.apply(.length(length), to: &file.seen)
                file.pending.append(.length(length))
            }
        case .sync:
            change(event.name) { file in
                for change in file.pending { DiskModel.apply(change, to: &file.durable) }
                file.pending = []
            }
        case .failedSync:
            // The lengths are the file system's own, which it keeps in its journal.
            change(event.name) { $0.pending.removeAll { $0.isBytes } }
        case .remove:
            names[event.name] = nil
            pendingNames.append(NameChange(name: event.name, file: nil))
        case .syncDirectory:
            durableNames = names
            pendingNames = []
        case .open, .read, .map, .note, .failed: break
        }
    }

    private mutating func create(_ name: String) {
        files[nextFile] = File()
        names[name] = nextFile
        pendingNames.append(NameChange(name: name, file: nextFile))
        nextFile += 1
    }

    private mutating func change(_ name: String, _ body: (inout File) -> Void) {
        guard let number = names[name], var file = files.removeValue(forKey: number) else { return }
        body(&file)
        files[number] = file
    }

    /// A write past the end is a new length and, apart from it, the bytes.
    private static func write(_ bytes: Data, at place: Int, _ file: inout File) {
        let end = place + bytes.count
        if end > file.seen.count {
            apply(.length(end), to: &file.seen)
            file.pending.append(.length(end))
        }
        file.seen.replaceSubrange(place..<end, with: bytes)
        var start = place
        while start < end {
            let next = min(end, (start / sectorBytes + 1) * sectorBytes)
            file.pending.append(
                .sector(at: start, bytes.dropFirst(start - place).prefix(next - start)))
            start = next
        }
    }

    private static func apply(_ change: FileChange, to contents: inout Data) {
        switch change {
        case .length(let length) where length < contents.count:
            contents.removeSubrange(length...)
        case .length(let length): contents.append(Data(count: length - contents.count))
        case .sector(let place, let bytes):
            guard place < contents.count else { return }
            let fitting = bytes.prefix(contents.count - place)
            contents.replaceSubrange(place..<place + fitting.count, with: fitting)
        }
    }

    /// The smallest part of a file that a disk writes as a whole.
    static let sectorBytes = 512
}

extension DiskModel {
    /// The files that a power cut at this moment leaves.
    public func afterPowerCut(
        _ damage: Damage, using generator: inout SeededGenerator
    ) -> [String: Data] {
        var left = durableNames
        for change in damage.kept(of: pendingNames, using: &generator) {
            left[change.name] = change.file
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
