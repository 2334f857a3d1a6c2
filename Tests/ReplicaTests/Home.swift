import Foundation
import Identity
import Records
import Replica

/// A directory of a test, and the replica in it.
struct Home {
    let path: String
    let homes: Homes

    /// Returns the path of a file in the directory.
    func file(_ name: String = "replica.db") -> String { path + "/" + name }

    /// Opens the replica of a device.
    func replica(
        _ key: DeviceKey, collections: [RecordCollection] = [.note], views: [ReplicaView] = [],
        quota: StorageQuota = StorageQuota(), diskSpace: any DiskSpace = FileSystem()
    ) throws -> Replica {
        try Replica(
            path: file(), key: key, collections: collections, views: views, quota: quota,
            diskSpace: diskSpace)
    }

    /// Opens a replica that knows people and has opened spaces.
    func replica(
        of key: DeviceKey, knowing people: [Someone], in spaces: [SpaceDescriptor],
        collections: [RecordCollection] = [.note], views: [ReplicaView] = [],
        quota: StorageQuota = StorageQuota(), diskSpace: any DiskSpace = FileSystem()
    ) async throws -> Replica {
        let replica = try replica(
            key, collections: collections, views: views, quota: quota, diskSpace: diskSpace)
        for someone in people { try await replica.learn(someone.record) }
        for space in spaces { try await replica.open(space) }
        return replica
    }

    /// Copies the files of the replica as they are now, as a kill would leave them.
    func copy() throws -> Home {
        let copy = try homes.make()
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.copyItem(atPath: file(name), toPath: copy.file(name))
        }
        return copy
    }
}
