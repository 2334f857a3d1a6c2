internal import Identity
internal import PluginKit
public import Records
internal import Replica

extension TestHost {
    /// Delivers to another host a batch that this device signed without its own replica, as a
    /// changed program that follows no rule could.
    /// - Parameter isFork: whether the batch has the same number as the last one that the other
    ///   host holds, instead of the next.
    public func forge(
        _ operations: [Records.Operation], in space: SpaceDescriptor, for other: TestHost,
        isFork: Bool = false
    ) async throws {
        let log = LogName(device: me.device)
        let last = try await other.lastBatches(of: me.device, in: space)
        let head = isFork ? last.dropFirst().first : last.first
        let run = try CheckedRun(
            authoring: BatchBody(operations), in: space.id, log: log,
            number: (head?.number ?? 0) + 1, previous: head?.hash ?? .none, epoch: 0,
            stamp: Stamp(clock.wallTime + .seconds(1)), sign: key.sign)
        let batches = run.batches.map {
            Run.Link(stamp: $0.header.stamp, content: $0.content)
        }
        let outcome = try await other.replica.merge(
            [
                (
                    space.id,
                    Run(
                        log: log, firstNumber: (head?.number ?? 0) + 1, epoch: 0, batches: batches,
                        signature: run.signature)
                )
            ], wallTime: other.clock.wallTime)
        for commit in outcome.commits { await other.put(commit) }
    }

    /// Returns the last two batches of a device's main log on this host, the last one first.
    private func lastBatches(
        of device: DeviceID, in space: SpaceDescriptor
    ) async throws -> [(number: UInt64, hash: BatchHash)] {
        try await rows(
            """
            SELECT b.number AS number, b.hash AS hash FROM waggle_log l
            JOIN waggle_space s ON s.space = l.space
            JOIN waggle_batch b ON b.batch BETWEEN l.log << 40 AND (l.log + 1 << 40) - 1
            WHERE s.id = ? AND l.device = ? AND l.branch IS NULL ORDER BY b.batch DESC LIMIT 2
            """, [.bytes(space.id.bytes), .bytes(device.bytes)]
        ).compactMap { row in
            guard let number = row.integer("number"),
                let hash = row.bytes("hash").flatMap({ BatchHash(bytes: $0) })
            else { return nil }
            return (UInt64(clamping: number), hash)
        }
    }

    /// The directory of this host's files with content.
    public var contentDirectory: String { directory + "/blobs" }

    /// Returns all bytes of this host's database on the disk.
    public func databaseBytes() throws -> DatabaseBytes {
        try DatabaseBytes(of: directory + "/replica.db")
    }
}
