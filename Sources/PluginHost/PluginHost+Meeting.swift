internal import PluginKit

extension PluginHost {
    /// Passes a wish to the plugin that performs meetings.
    /// - Throws: ``CommandFault/refused(_:)`` if no plugin does, else the plugin's own fault.
    func meet(_ wish: MeetingWish) async throws {
        guard
            let performer = plugins.first(where: {
                type(of: $0).manifest.services.contains(.meetings)
            })
        else { throw CommandFault.refused("Profiles cannot be exchanged here.") }
        try await performer.meet(wish)
    }
}
