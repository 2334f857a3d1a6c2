internal import FeaturesAPI
internal import PluginKit

/// A checked edit that `me edit` requests.
struct ProfileEdit {
    /// The new values; null clears a field.
    let values: [ProfileField: Value]
    /// The fields to keep private from now on, or nil to leave that as it is.
    let keptPrivate: Set<OptionalField>?
    /// Whether the photo is removed.
    let removesPhoto: Bool

    /// Checks a request.
    /// - Throws: ``CommandFault/refused(_:)`` if a field is both given and cleared, or if a request
    ///   changes nothing.
    init(_ request: EditProfile) throws(CommandFault) {
        let given = Self.values(in: request)
        let wanted = request.clear ?? []
        let cleared = wanted.compactMap { ProfileField($0) }
        if let field = cleared.first(where: { given[$0] != nil }) {
            throw .refused("'\(field.name)' is both given and cleared.")
        }
        guard !given.isEmpty || !wanted.isEmpty || request.keptPrivate != nil else {
            throw .refused("Say what to change: give at least one field of the profile.")
        }
        values = cleared.reduce(into: given) { $0[$1] = .null }
        keptPrivate = request.keptPrivate.map { Set($0) }
        removesPhoto = wanted.contains(.photo)
    }

    /// Returns a profile after the edit.
    func applied(to profile: Profile) -> Profile {
        Profile(profile.values.merging(values) { _, new in new })
    }

    /// Returns the values that a request gives. A keyword that is given twice counts once.
    private static func values(in request: EditProfile) -> [ProfileField: Value] {
        var keywords: [Value] = []
        for word in request.keywords?.words ?? [] where !keywords.contains(.text(word.rawValue)) {
            keywords.append(.text(word.rawValue))
        }
        let values: [ProfileField: Value?] = [
            .nickname: request.nickname.map { .text($0.string) },
            .dogName: request.dogName.map { .text($0.string) },
            .age: request.age.map { .integer(Int64($0.value)) },
            .sex: request.sex.map { .text($0.rawValue) },
            .neutered: request.neutered.map { .boolean($0) },
            .size: request.size.map { .text($0.rawValue) },
            .keywords: keywords.isEmpty ? nil : .list(keywords),
        ]
        return values.compactMapValues { $0 }
    }
}
