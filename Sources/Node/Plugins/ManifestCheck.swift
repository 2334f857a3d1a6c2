internal import PluginKit
internal import Records

/// What manifests must keep to before any plugin is made. A breach is a mistake in the program
/// that holds the plugins, so the node does not start.
enum ManifestCheck {
    /// Checks manifests alone and beside one another.
    /// - Throws: ``CommandFault/failed(_:)`` naming the plugin and what is wrong.
    static func check(_ manifests: [Manifest]) throws(CommandFault) {
        var ids: Set<String> = []
        var collections: [CollectionID: String] = [:]
        var directTopics: Set<String> = []
        var ephemeralTopics: Set<String> = []
        for manifest in manifests {
            guard isWord(manifest.id) else {
                throw wrong(manifest, "its id must be a lower-case word")
            }
            guard manifest.id != hostID else {
                throw wrong(manifest, "the views that plugins share begin with its id")
            }
            guard ids.insert(manifest.id).inserted else {
                throw wrong(manifest, "another plugin has its id")
            }
            try checkNames(manifest)
            for collection in manifest.collections {
                if let other = collections.updateValue(collection.name, forKey: collection.id) {
                    throw wrong(manifest, "'\(collection.name)' has the number of '\(other)'")
                }
            }
            for topic in manifest.directTopics where !directTopics.insert(topic).inserted {
                throw wrong(manifest, "another plugin has the direct topic '\(topic)'")
            }
            for topic in manifest.ephemeralTopics where !ephemeralTopics.insert(topic).inserted {
                throw wrong(manifest, "another plugin has the ephemeral topic '\(topic)'")
            }
        }
        guard manifests.count(where: { $0.provides != nil }) <= 1 else {
            throw .failed("more than one plugin says who is a mate")
        }
    }

    /// Tables and views carry the plugin's id in front, so that no two plugins share one.
    private static func checkNames(_ manifest: Manifest) throws(CommandFault) {
        let names = manifest.collections.map(\.table) + manifest.views.map(\.name)
        for name in names where !name.hasPrefix(manifest.id + "_") {
            throw wrong(manifest, "'\(name)' must begin with '\(manifest.id)_'")
        }
        guard let groups = manifest.groups else { return }
        for name in [groups.titlesView, groups.namesView]
        where !manifest.views.contains(where: { $0.name == name }) {
            throw wrong(manifest, "'\(name)' names groups and is no view of its own")
        }
    }

    /// What ``SharedViews`` begin with.
    private static let hostID = "host"

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x61...0x7a).contains($0) }
    }

    private static func wrong(_ manifest: Manifest, _ what: String) -> CommandFault {
        .failed("plugin '\(manifest.id)' cannot be loaded: \(what)")
    }
}
