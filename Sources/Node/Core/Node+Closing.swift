internal import PluginHost
package import Records
internal import Replica

extension Node {
    /// Closes groups in which this person never wrote, and shares them no longer.
    package func close(_ groups: [SpaceDescriptor]) async throws {
        let closed = Set(try await replica.close(groups.map(\.id)))
        guard !closed.isEmpty else { return }
        await refreshRelations()
        for group in groups where closed.contains(group.id) { host.deliver(membersOf: group) }
    }
}
