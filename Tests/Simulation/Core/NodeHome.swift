internal import Foundation
internal import Identity
internal import Records
internal import Replica
internal import TestSupport

/// The files of one node, and copies of them: what a crash leaves, and yesterday's.
struct NodeHome {
    private let root: URL
    private var generation = 0
    private var hasCopy = false
    private static let names = ["replica.db", "replica.db-wal", "starts"]

    /// A home in a directory of its own.
    init(_ directory: String) throws {
        root = URL(fileURLWithPath: directory, isDirectory: true)
        try FileManager.default.createDirectory(at: current, withIntermediateDirectories: true)
    }

    private var current: URL { root.appendingPathComponent("\(generation)", isDirectory: true) }
    private var copy: URL { root.appendingPathComponent("copy", isDirectory: true) }

    /// Opens the replica on the files that are here.
    func open(
        _ key: DeviceKey, seed: UInt64, on executor: any SerialExecutor
    ) throws -> Replica {
        try Replica(
            path: current.appendingPathComponent("replica.db").path, key: key,
            collections: [.simulatedNote], views: [.simulatedNotes],
            randomness: SeededGenerator(seed: seed), executor: executor)
    }

    /// Takes the files as they are at this moment, beside whoever has them open: what is on the
    /// disk and nothing else.
    mutating func crash() throws {
        let left = current
        generation += 1
        try NodeHome.copy(NodeHome.names, from: left, to: current)
        try FileManager.default.removeItem(at: left)
    }

    /// Whether the database's files hold any of some bytes.
    func containsAny(of patterns: [[UInt8]]) throws -> Bool {
        try NodeHome.names.prefix(2).contains { name in
            let file = current.appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: file.path) else { return false }
            let bytes = try Data(contentsOf: file)
            return patterns.contains { bytes.range(of: Data($0)) != nil }
        }
    }

    /// Puts a copy aside.
    mutating func takeCopy() throws {
        try NodeHome.copy(NodeHome.names, from: current, to: copy)
        hasCopy = true
    }

    /// Puts the copy in the place of what is here.
    /// - Parameter isWhole: whether with the count of starts beside the database.
    /// - Returns: false where there is no copy.
    mutating func restore(isWhole: Bool) throws -> Bool {
        guard hasCopy else { return false }
        let left = current
        generation += 1
        try NodeHome.copy(
            isWhole ? NodeHome.names : ["starts"], from: isWhole ? copy : left, to: current)
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
