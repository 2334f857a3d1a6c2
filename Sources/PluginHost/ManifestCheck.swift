package import PluginKit
internal import Records

/// The rules for manifests, checked before any plugin is created. A breach is a mistake in the
/// program that holds the plugins, so the node does not start.
package enum ManifestCheck {
    /// Checks that one plugin at most is the core, then the manifests.
    /// - Throws: ``CommandFault/failed(_:)``.
    package static func check(_ plugins: [any Plugin.Type]) throws(CommandFault) {
        guard plugins.count(where: { $0 is any CorePlugin.Type }) <= 1 else {
            throw .failed("more than one plugin says who is a mate")
        }
        try check(plugins.map { $0.manifest })
    }

    /// Checks each manifest alone and all of them together.
    /// - Throws: ``CommandFault/failed(_:)`` naming the plugin and its mistake.
    package static func check(_ manifests: [Manifest]) throws(CommandFault) {
        var ids: Set<String> = []
        var collections: [CollectionID: String] = [:]
        var directTopics: Set<String> = []
        var ephemeralTopics: Set<String> = []
        var events: Set<String> = []
        var notices: Set<InboxKind> = []
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
                try check(collection, of: manifest)
                if let other = collections.updateValue(collection.name, forKey: collection.id) {
                    throw wrong(manifest, "'\(collection.name)' has the number of '\(other)'")
                }
            }
            guard !manifest.directTopics.contains(rangingTopic) else {
                throw wrong(manifest, "the direct topic '\(rangingTopic)' is the node's")
            }
            for topic in manifest.directTopics where !directTopics.insert(topic).inserted {
                throw wrong(manifest, "another plugin has the direct topic '\(topic)'")
            }
            for topic in manifest.ephemeralTopics where !ephemeralTopics.insert(topic).inserted {
                throw wrong(manifest, "another plugin has the ephemeral topic '\(topic)'")
            }
            for notice in manifest.notices {
                guard isWord(notice.kind.string) else {
                    throw wrong(manifest, "the notices '\(notice.kind)' must be a lower-case word")
                }
                guard notices.insert(notice.kind).inserted else {
                    throw wrong(manifest, "another plugin has the notices '\(notice.kind)'")
                }
            }
        }
        for (manifest, event) in manifests.flatMap({ one in one.events.map { (one, $0) } }) {
            guard isWord(event.topic) else {
                throw wrong(manifest, "the event '\(event.topic)' must be a word of small letters")
            }
            guard !hostEvents.contains(event.topic), events.insert(event.topic).inserted else {
                throw wrong(manifest, "the event '\(event.topic)' is taken")
            }
        }
        guard manifests.count(where: { $0.services.contains(.visibility) }) <= 1 else {
            throw .failed("more than one plugin declares the visibility service")
        }
        guard manifests.count(where: { $0.services.contains(.meetings) }) <= 1 else {
            throw .failed("more than one plugin declares the meetings service")
        }
        try checkAnnouncements(manifests)
    }

    /// Checks a collection for open spaces: it needs the service.
    private static func check(
        _ collection: RecordCollection, of manifest: Manifest
    ) throws(CommandFault) {
        guard collection.spaces.contains(.open) else { return }
        guard manifest.services.contains(.neighbourhoods) else {
            throw wrong(
                manifest, "'\(collection.name)' is for open spaces without their service")
        }
    }

    /// Checks that the names of tables and views begin with the plugin's id, so that no two plugins
    /// share one.
    private static func checkNames(_ manifest: Manifest) throws(CommandFault) {
        let names = manifest.collections.map(\.table) + manifest.views.map(\.name)
        for name in names where !name.hasPrefix(manifest.id + "_") {
            throw wrong(manifest, "'\(name)' must begin with '\(manifest.id)_'")
        }
        let shared =
            [
                manifest.groups?.titlesView, manifest.groups?.namesView,
            ].compactMap { $0 } + manifest.shares.values.sorted()
        for name in shared where !manifest.views.contains(where: { $0.name == name }) {
            throw wrong(manifest, "'\(name)' is read by every plugin and is no view of its own")
        }
    }

    /// Checks that each key has one owner, and that no plugin can fill the announcement alone.
    private static func checkAnnouncements(_ manifests: [Manifest]) throws(CommandFault) {
        var keys: Set<String> = []
        for manifest in manifests {
            var bytesCount = 0
            for field in manifest.announces {
                guard AnnouncedFields.isKey(field.key) else {
                    throw wrong(manifest, "'\(field.key)' is no key of an announced field")
                }
                guard keys.insert(field.key).inserted else {
                    throw wrong(manifest, "the announced field '\(field.key)' is taken")
                }
                if let form = AnnouncedFields.fixedForms[field.key] {
                    guard field.bytesMax == form.digitsCount, field.shown == .whileVisible else {
                        throw wrong(
                            manifest,
                            "the announced field '\(field.key)' has \(form.digitsCount) bytes, "
                                + "shown while visible")
                    }
                }
                guard 1...Limits.announcedFieldBytesMax ~= field.bytesMax else {
                    throw wrong(
                        manifest,
                        "the announced field '\(field.key)' has 1 to "
                            + "\(Limits.announcedFieldBytesMax) bytes")
                }
                guard !field.opensMeeting || field.shown == .whileSwitchedOn else {
                    throw wrong(
                        manifest,
                        "the announced field '\(field.key)' opens a meeting without a switch")
                }
                bytesCount += AnnouncedFields.bytesCount(
                    keyBytes: field.key.utf8.count, bytes: field.bytesMax)
            }
            guard bytesCount <= Manifest.announcedBytesMax else {
                throw wrong(
                    manifest,
                    "its announced fields take \(bytesCount) bytes; "
                        + "\(Manifest.announcedBytesMax) are allowed")
            }
        }
    }

    /// The topic of the direct messages with tokens of ranging providers.
    package static let rangingTopic = "ranging"

    /// The prefix of the names in ``SharedViews``.
    private static let hostID = "host"

    /// The topics of the node itself and of the stream of events.
    private static let hostEvents: Set = ["status", "link", "config", "open", "lost"]

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x61...0x7a).contains($0) }
    }

    private static func wrong(_ manifest: Manifest, _ what: String) -> CommandFault {
        .failed("plugin '\(manifest.id)' cannot be loaded: \(what)")
    }
}
