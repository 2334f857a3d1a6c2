internal import Identity
internal import PluginKit
public import Records
internal import Replica

extension TestHost {
    /// Hands another host a batch that this device signed past its own replica, as a changed
    /// program could that keeps to no rule.
    public func forge(
        _ operations: [Records.Operation], in space: SpaceDescriptor, for other: TestHost
    ) async throws {
        let log = LogName(device: me.device)
        let head = await other.replica.heads(in: space.id).first { $0.log == log }
        let run = try CheckedRun(
            authoring: BatchBody(operations), in: space.id, log: log,
            number: (head?.high ?? 0) + 1, previous: head?.headHash ?? .none, epoch: 0,
            stamp: Stamp(milliseconds: clock.wallMilliseconds + 1000), sign: key.sign)
        let batches = run.batches.map {
            Run.Link(stamp: $0.header.stamp, content: $0.content)
        }
        let outcome = try await other.replica.merge(
            [
                (
                    space.id,
                    Run(
                        log: log, firstNumber: (head?.high ?? 0) + 1, epoch: 0, batches: batches,
                        signature: run.signature)
                )
            ], wallMilliseconds: other.clock.wallMilliseconds)
        for commit in outcome.commits { await other.put(commit) }
    }

    /// All bytes that this host keeps on the disk.
    public func databaseBytes() throws -> DatabaseBytes {
        try DatabaseBytes(of: directory + "/replica.db")
    }
}
