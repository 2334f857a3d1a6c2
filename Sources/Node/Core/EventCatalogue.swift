internal import ControlAPI
internal import NodeAPI
public import PluginKit

/// Every event of this build: those of the stream, the node's own, then each plugin's.
public enum EventCatalogue {
    /// The declarations; the local API describes them.
    public static let declarations = declarations(of: PluginCatalogue.all)

    /// Returns the declarations for a given list of plugins.
    public static func declarations(of plugins: [any Plugin.Type]) -> [EventDeclaration] {
        StreamEvents.declarations
            + [
                StatusEvents.changed.declaration, LinkEvents.changed.declaration,
                ConfigEvents.changed.declaration,
            ]
            + plugins.flatMap { $0.manifest.events }
    }
}
