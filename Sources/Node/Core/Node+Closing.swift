internal import PluginHost
package import Records
internal import Replica

extension Node {
    /// Closes groups in which this person never wrote, and shares them no longer. A group that a
    /// linked peer names stays open: what this person wrote in it is still to come back.
    package func close(_ groups: [SpaceDescriptor]) async throws {
        let groups = groups.filter { !isNamed($0) }
        let closed = Set(try await replica.close(groups.map(\.id)))
        guard !closed.isEmpty else { return }
        await refreshRelations()
        for group in groups where closed.contains(group.id) { host.deliver(membersOf: group) }
    }
}
