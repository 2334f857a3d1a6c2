internal import Foundation
internal import Identity
internal import Records
internal import Replica
internal import TestSupport

/// The files of a node and copies of them, for crashes and restored backups.
struct NodeHome {
    private let root: URL
    private var generation = 0
    private var hasCopy = false
    private static let names = ["replica.db", "replica.db-wal", "starts", "blobs"]

    /// Creates a home in a new directory.
    init(_ directory: String) throws {
        root = URL(fileURLWithPath: directory, isDirectory: true)
        try FileManager.default.createDirectory(at: current, withIntermediateDirectories: true)
    }

    private var current: URL { root.appendingPathComponent("\(generation)", isDirectory: true) }
    private var copy: URL { root.appendingPathComponent("copy", isDirectory: true) }

    /// Opens the replica on the present files.
    func open(
        _ key: DeviceKey, seed: UInt64, _ quota: StorageQuota = StorageQuota(),
        on executor: any SerialExecutor
    ) throws -> Replica {
        try Replica(
            path: current.appendingPathComponent("replica.db").path, key: key,
            collections: [.simulatedNote, .simulatedProfile, .simulatedPhoto],
            views: [.simulatedNotes],
            randomness: SeededGenerator(seed: seed), quota: quota, diskSpace: EndlessDisk(),
            executor: executor)
    }

    /// Replaces the files by a copy of their present state, without closing the open ones: only
    /// data on the disk survives.
    mutating func crash() throws {
        let left = current
        generation += 1
        try NodeHome.copy(NodeHome.names, from: left, to: current)
        try FileManager.default.removeItem(at: left)
    }

    /// Whether the database's files contain any of some byte strings.
    func containsAny(of patterns: [[UInt8]]) throws -> Bool {
        try NodeHome.names.prefix(2).contains { name in
            let file = current.appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: file.path) else { return false }
            let bytes = try Data(contentsOf: file)
            return patterns.contains { bytes.range(of: Data($0)) != nil }
        }
    }

    /// Returns the files with content, whole or not.
    func contents() throws -> [[UInt8]] {
        let directory = current.appendingPathComponent("blobs")
        let names = FileManager.default.enumerator(atPath: directory.path)?.compactMap {
            $0 as? String
        }
        return try (names ?? []).sorted().compactMap { name in
            let file = directory.appendingPathComponent(name)
            let kind = try FileManager.default.attributesOfItem(atPath: file.path)[.type]
            guard kind as? FileAttributeType == .typeRegular else { return nil }
            return Array(try Data(contentsOf: file))
        }
    }

    /// Stores a copy of the files.
    mutating func storeCopy() throws {
        try NodeHome.copy(NodeHome.names, from: current, to: copy)
        hasCopy = true
    }

    /// Replaces the files by the stored copy.
    /// - Parameter isWhole: whether the count of starts beside the database is replaced too.
    /// - Returns: false if there is no copy.
    mutating func restore(isWhole: Bool) throws -> Bool {
        guard hasCopy else { return false }
        let left = current
        generation += 1
        try NodeHome.copy(
            isWhole ? NodeHome.names : ["starts", "blobs"], from: isWhole ? copy : left, to: current
        )
        if !isWhole { try NodeHome.copy(Array(NodeHome.names.prefix(2)), from: copy, to: current) }
        try FileManager.default.removeItem(at: left)
        return true
    }

    private static func copy(_ names: [String], from: URL, to: URL) throws {
        try FileManager.default.createDirectory(at: to, withIntermediateDirectories: true)
        for name in names {
            let (source, target) = (
                from.appendingPathComponent(name), to.appendingPathComponent(name)
            )
            if FileManager.default.fileExists(atPath: target.path) {
                try FileManager.default.removeItem(at: target)
            }
            guard FileManager.default.fileExists(atPath: source.path) else { continue }
            try FileManager.default.copyItem(at: source, to: target)
        }
    }
}
