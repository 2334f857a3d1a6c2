import ControlAPI
import FeaturesAPI
import struct Foundation.FileAttributeKey
import class Foundation.FileManager
import NodeAPI
import NodeTestSupport
import PluginKit
import TestSupport

extension RunningNode {
    /// The contents of a node's store: the batches of all its spaces, and the lengths of its files.
    struct Stored: Equatable {
        let batchesCount: Int
        let bytes: [String: Int]
    }

    /// Returns the contents of the store. Two equal answers mean that nothing was written in
    /// between.
    func stored() async throws -> Stored {
        let spaces = try await call(NodeCommands.status).spaces
        return Stored(
            batchesCount: spaces.reduce(0) { $0 + $1.batches.value },
            bytes: try home.replicaBytes())
    }

    /// Returns the contents of the store once the node has written its first batch, which a new
    /// home does without a request.
    func storedAtRest() async throws -> Stored {
        _ = await eventually { ((try? await stored())?.batchesCount ?? 0) > 0 }
        return try await stored()
    }

    /// Returns the kinds of the notices in `status`.
    func noticeKinds() async throws -> [NodeStatus.Notice.Kind] {
        try await call(NodeCommands.status).notices.map(\.kind)
    }

    /// Returns the items of the inbox.
    func inboxItems() async throws -> [InboxList.Item] {
        try await call(InboxCommands.list).items
    }
}

extension Victim {
    /// Returns what the node has stored, once nothing has been written for half a second.
    func storedAtRest() async throws -> RunningNode.Stored {
        var last = try await stored()
        _ = await eventually {
            try? await Task.sleep(for: .milliseconds(500))
            guard let now = try? await stored() else { return false }
            defer { last = now }
            return now == last
        }
        return last
    }

    /// Returns what the node has stored. Two equal answers mean that nothing was written between.
    func stored() async throws -> RunningNode.Stored {
        let spaces = try await status().spaces
        return RunningNode.Stored(
            batchesCount: spaces.reduce(0) { $0 + $1.batches.value },
            bytes: try home.replicaBytes())
    }
}

extension Home {
    /// Returns the lengths of the store's files, by name.
    fileprivate func replicaBytes() throws -> [String: Int] {
        var bytes: [String: Int] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory)
        where name.hasPrefix("replica") {
            let path = directory + "/" + name
            bytes[name] = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        }
        return bytes
    }
}
