internal import FeaturesAPI
internal import PluginKit

extension CoreFeatures {
    /// Returns a mate as a contact: the fields that they shared, and their photo if it is here.
    /// - Throws: ``CommandFault/refused(_:)`` for a person who is not a mate.
    func contact(of person: PersonID) async throws -> Contact {
        let mates = try await mates.directory.mates()
        guard let mate = mates.first(where: { $0.person == person && $0.isMate }) else {
            throw CommandFault.refused("Only mates can be saved as contacts.")
        }
        var profile = mate.profile.fields
        profile.nickname = profile.nickname ?? person.suffix
        var photo: [UInt8]?
        if let shown = try await profiles.photos.photo(of: person) {
            photo = try await context.blobs.find(shown.blob, in: shown.space)
        }
        return Contact(
            uid: "urn:uuid:" + OutsideID.uuid(of: person.bytes), profile: profile,
            notes: profile.dogName.map { localized("Dog: \($0)") }, photo: photo)
    }
}
