internal import PluginKit

/// The groups that I made or joined, as records of my own space. My other devices learn of such a
/// group from the record, open it, and receive it from the device that wrote the record.
struct OwnGroups: Sendable {
    let context: PluginContext

    /// Opens the groups of which other devices wrote, and writes of those that are mine and have no
    /// record yet. Doing it again changes nothing.
    func reconcile() async throws {
        try await open()
        let groups = try await context.replica.rows(
            """
            SELECT s.descriptor AS descriptor FROM waggle_space s
            JOIN waggle_member m ON m.space = s.space AND m.person = ?
            WHERE s.kind = 'group' AND m.state = 'member' AND s.descriptor NOT IN (
                SELECT descriptor FROM neighbours_own_group WHERE descriptor IS NOT NULL)
            """, [.bytes(context.me.bytes)]
        ).compactMap { $0.descriptor("descriptor") }
        try await record(groups)
    }

    /// Writes of groups, a number of them in each batch.
    func record(_ groups: [SpaceDescriptor]) async throws {
        for start in stride(from: 0, to: groups.count, by: Self.togetherCountMax) {
            let some = groups.dropFirst(start).prefix(Self.togetherCountMax)
            try await context.author(
                some.map { group in
                    .create(
                        collection: Groups.ownGroup.name, nonce: context.random.nonce(),
                        fields: ["descriptor": .bytes(group.encoded)])
                }, in: .own(context.me))
        }
    }

    /// Opens the groups of which other devices wrote.
    func open() async throws {
        let groups = try await context.replica.rows(
            """
            SELECT DISTINCT descriptor FROM neighbours_own_group WHERE descriptor NOT IN (
                SELECT descriptor FROM waggle_space WHERE kind = 'group')
            """
        ).compactMap { $0.descriptor("descriptor") }
        for group in groups where group.kind == .group { try await context.replica.open(group) }
    }

    /// The number of groups that one batch names.
    private static let togetherCountMax = 128
}
