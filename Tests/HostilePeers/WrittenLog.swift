import ControlAPI
import Identity
import Node
import NodeTestSupport
import PluginKit
import Records
import Replica

@testable import Sync

/// A log that a test writes and signs by hand. A copy of it that is continued in another way is a
/// fork:
/// ```swift
/// let shared = try await mate.log(in: mate.pair.id)
/// var (left, right) = (shared, shared)
/// try left.write([one])
/// try right.write([other])
/// _ = try await peer.answers(to: [try left.push(), try right.push()])
/// ```
struct WrittenLog {
    let key: DeviceKey
    let space: SpaceID
    /// The number and hash of the batch that the written ones follow.
    private let base: (number: UInt64, hash: BatchHash)
    private var stamp: Timestamp
    private var written: [CheckedRun] = []

    /// Creates a log that continues a device's log after a batch.
    init(_ key: DeviceKey, in space: SpaceID, after head: LogState? = nil) {
        (self.key, self.space) = (key, space)
        base = (head?.high ?? 0, head?.headHash ?? .none)
        stamp = HostilePeer.now() + .seconds(1)
    }

    /// The batches that were written here.
    var batches: [CheckedBatch] { written.flatMap(\.batches) }
    /// The number of the last batch.
    var number: UInt64 { base.number + UInt64(written.count) }

    /// Adds a batch.
    /// - Parameters:
    ///   - time: the time of writing; by default, a millisecond after the batch before.
    ///   - branch: the branch in the header.
    ///   - salt: the salt of a body that may be erased.
    mutating func write(
        _ operations: [Operation], at time: Timestamp? = nil, branch: BranchName = .main,
        salt: Bytes16? = nil
    ) throws {
        stamp = time ?? (stamp + .milliseconds(1))
        let key = key
        written.append(
            try CheckedRun(
                authoring: BatchBody(operations, salt: salt), in: space,
                log: LogName(device: key.id, branch: branch), number: number + 1,
                previous: written.last?.batches.last?.hash ?? base.hash, epoch: 0,
                stamp: Stamp(stamp)
            ) { try key.sign($0) })
    }

    /// Returns the same log with only the first batches that were written here.
    func back(to count: Int) -> WrittenLog {
        var log = self
        log.written = Array(written.prefix(count))
        return log
    }

    /// Returns a push of batches that were written here, by default of all, as one run.
    func push(_ range: Range<Int>? = nil, channel: UInt64 = 0) throws -> Message {
        let runs = written[range ?? written.indices]
        guard let first = runs.first?.batches.first, let last = runs.last else {
            throw CommandFault.failed("nothing to push")
        }
        let run = Run(
            log: first.header.log, firstNumber: first.header.number, epoch: 0,
            batches: runs.flatMap(\.batches).map {
                Run.Link(stamp: $0.header.stamp, content: $0.content)
            },
            signature: last.signature)
        return .push(Push(channel: channel, run: run))
    }

    /// Returns the operations of a new record.
    func record(_ collection: String, _ fields: [(UInt64, Value)]) -> [Operation] {
        let collection = CollectionID(name: collection)
        let nonce = Bytes16(prefixOf: DeviceKey().id.raw)
        let entity = Operation.entity(in: space, of: collection, by: key.id, nonce: nonce)
        let create = Operation(
            collection: collection, entity: entity, action: .create(nonce: nonce))
        return [create]
            + fields.map { field, value in
                Operation(
                    collection: collection, entity: entity,
                    action: .set(field: field, value))
            }
    }
}

extension HostileMate {
    /// Returns the mate's own log in a space, to be continued by hand.
    func log(in space: SpaceID) async throws -> WrittenLog {
        try await NodeIdentity.log(of: identity.key, in: space, from: mateHome.replicaFile)
    }
}

extension NodeIdentity {
    /// Returns a device's log in a space as a replica's file has it.
    static func log(
        of key: DeviceKey, in space: SpaceID, from file: String
    ) async throws -> WrittenLog {
        let replica = try Replica(
            path: file, key: key,
            collections: PluginCatalogue.all.flatMap { $0.manifest.collections }, views: [])
        let head = await replica.heads(in: space).first { $0.log == LogName(device: key.id) }
        try await replica.close()
        return WrittenLog(key, in: space, after: head)
    }
}
