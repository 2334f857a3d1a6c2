internal import Foundation
internal import PluginKit
internal import Records
internal import TestSupport

// Photos: content beside the records.
extension Checks {
    /// The time in which mates at rest fetch what they look at.
    private static let fetchTime: Duration = .seconds(20)

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
            let files = Self.files(of: person)
            for shown in person.photos.erased where shown.mate == mate.id {
                let hash = Photos.hash(shown.seed, with: shown.mate)
                try await checkGone(hash, of: person, files)
                try await checkGone(hash, of: mate, Self.files(of: mate))
            }
        }
    }

    /// Checks that a person holds no file of content that was deleted.
    func checkGone(
        _ hash: BlobHash, of person: SimulatedPerson, _ files: Set<String>
    ) async throws {
        let named = try await person.node.rows(
            "SELECT 1 FROM blob_reference WHERE hash = ?", [.bytes(hash.bytes)])
        // A home that was restored to before the erase may hold it until it hears of the erase.
        guard named.isEmpty else { return }
        world.count("deleted photos at rest")
        if files.contains(hash.description) {
            world.violated("\(person.node.name) holds the file of a deleted photo")
        }
    }

    /// Returns the names of all files with content.
    static func files(of person: SimulatedPerson) -> Set<String> {
        let directory = person.node.homeDirectory + "/blobs"
        let all = FileManager.default.enumerator(atPath: directory)?.allObjects as? [String]
        return Set((all ?? []).compactMap { $0.split(separator: "/").last.map(String.init) })
    }
}
