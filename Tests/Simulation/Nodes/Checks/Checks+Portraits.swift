internal import FeaturesAPI
internal import PluginKit
internal import Records
internal import TestSupport

// Profile photos: mates have the present one, and nobody has one from before.
extension Checks {
    /// Looks at a mate's photo, which fetches it if it is not there.
    func lookAtPortrait(of person: SimulatedPerson, at mate: SimulatedPerson) async throws {
        guard person.portraits.current != nil else { return }
        _ = try? await mate.node.call(
            MateCommands.photo, .init(person: NameOrKey(person.id), thumbnail: true))
    }

    /// Checks that a mate at rest has a person's present photo, and neither of the two a former
    /// one.
    func portrait(of person: SimulatedPerson, at mate: SimulatedPerson) async throws {
        // The homes of the two may have been restored from backups, and know other photos.
        guard !person.ledger.isVoid, !mate.ledger.isVoid else { return }
        if let current = person.portraits.current {
            let photo = try? await mate.node.call(
                MateCommands.photo, .init(person: NameOrKey(person.id), thumbnail: true))
            world.count("profile photos at rest")
            if photo?.here != true || photo?.thumbnail == nil
                || !Self.files(of: mate.node).contains(current.description)
            {
                world.violated("\(mate.node.name) lacks the photo of \(person.node.name)")
            }
        }
        for hash in person.portraits.gone {
            try await checkGone(hash, of: person.node, Self.files(of: person.node))
            try await checkGone(hash, of: mate.node, Self.files(of: mate.node))
        }
    }
}
