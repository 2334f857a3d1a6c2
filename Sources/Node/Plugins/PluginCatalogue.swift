internal import Features
public import PluginKit

/// The plugins of this build. `Package.swift` adds their modules, so a plugin needs no import, only
/// a line in the list.
public enum PluginCatalogue {
    /// Every plugin that a node runs, the core features first.
    public static let all: [any Plugin.Type] = [
        CoreFeatures.self,
        ProximityDrop.self,
        Chat.self,
        Promises.self,
        Interests.self,
        WalkLog.self,
        Matching.self,
        Posts.self,
        // New plugins above this line.
    ]
}
