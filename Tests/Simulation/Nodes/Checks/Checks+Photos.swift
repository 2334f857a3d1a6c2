internal import Foundation
internal import PluginKit
internal import Records
internal import TestSupport

// Photos: content beside the records.
extension Checks {
    /// The time in which mates at rest fetch what they look at.
    static let fetchTime: Duration = .seconds(20)

    /// Checks that two mates at rest get every photo that they show each other, and that nothing is
    /// left of those that one of them deleted.
    func photos(of one: SimulatedPerson, and other: SimulatedPerson) async throws {
        for (person, mate) in [(one, other), (other, one)] {
            _ = try await person.node.call(AlbumPlugin.list, .init(mate.id))
            try await lookAtPortrait(of: mate, at: person)
        }
        try await world.time.sleep(for: Self.fetchTime)
        for (person, mate) in [(one, other), (other, one)] {
            let listed = try await person.node.call(AlbumPlugin.list, .init(mate.id))
            for _ in 0..<listed.here { world.count("photos at rest") }
            // Content whose only copy was in a database that was replaced is lost.
            if listed.here < listed.named, !one.ledger.isVoid, !other.ledger.isVoid {
                world.violated(
                    "\(person.node.name) has \(listed.here) of \(listed.named) photos with "
                        + "\(mate.node.name)")
            }
            try await portrait(of: mate, at: person)
            let files = Self.files(of: person.node)
            for shown in person.photos.erased where shown.mate == mate.id {
                let hash = Photos.hash(shown.seed, with: shown.mate)
                try await checkGone(hash, of: person.node, files)
                try await checkGone(hash, of: mate.node, Self.files(of: mate.node))
            }
        }
    }

    /// Checks that a device holds no file of content that was deleted.
    func checkGone(_ hash: BlobHash, of node: SimulatedNode, _ files: Set<String>) async throws {
        let named = try await node.rows(
            "SELECT 1 FROM blob_reference WHERE hash = ?", [.bytes(hash.bytes)])
        // A home that was restored to before the erase may hold it until it hears of the erase.
        guard named.isEmpty else { return }
        world.count("deleted content at rest")
        if files.contains(hash.description) {
            world.violated("\(node.name) holds the file of deleted content")
        }
    }

    /// Returns the names of all files with content.
    static func files(of node: SimulatedNode) -> Set<String> {
        let directory = node.homeDirectory + "/blobs"
        let all = FileManager.default.enumerator(atPath: directory)?.allObjects as? [String]
        return Set((all ?? []).compactMap { $0.split(separator: "/").last.map(String.init) })
    }
}
