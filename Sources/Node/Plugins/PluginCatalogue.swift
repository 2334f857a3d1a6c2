internal import Chat
internal import Neighbours
public import PluginKit
internal import Promises
internal import ProximityDrop

/// The plugins of this build: a list one can read.
public enum PluginCatalogue {
    /// Every plugin that a node runs, the core feature set first.
    public static let all: [any Plugin.Type] = [
        Neighbours.self,
        ProximityDrop.self,
        Chat.self,
        Promises.self,
    ]
}
