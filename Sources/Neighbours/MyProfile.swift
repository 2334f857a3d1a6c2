public import PluginKit

/// My profile: the card that mates read, and what I keep private.
extension Neighbours {
    /// My whole profile and which fields of it are kept private.
    struct MyProfile {
        var card: Profile
        var own: Profile
        var keptPrivate: Set<ProfileField>
        var tagKey: [UInt8]?

        /// All fields, each from where it belongs; a value that a crash left on the other side
        /// still counts.
        var whole: Profile {
            var values: [ProfileField: Value] = [:]
            for field in ProfileField.allCases {
                let (first, second) = keptPrivate.contains(field) ? (own, card) : (card, own)
                values[field] = first.values[field] ?? second.values[field]
            }
            return Profile(values)
        }

        /// The kept fields by their names, in the order of the profile.
        var keptNames: [String] {
            ProfileField.allCases.filter(keptPrivate.contains).map(\.name)
        }
    }

    /// The bytes of a key that recognises my announcements.
    static let tagKeyBytesCount = 32

    /// Reads my profile.
    func myProfile() async throws -> MyProfile {
        let mine: [Value] = [.bytes(context.me.bytes)]
        let card = try await context.replica.rows(
            "SELECT * FROM neighbours_profile WHERE creator = ?", mine
        ).first
        let own = try await context.replica.rows(
            "SELECT * FROM neighbours_private_profile WHERE creator = ?", mine
        ).first
        return MyProfile(
            card: card.map { Profile($0) } ?? Profile(), own: own.map { Profile($0) } ?? Profile(),
            keptPrivate: Set(own?.texts("kept_private")?.compactMap(ProfileField.init) ?? []),
            tagKey: card?.bytes("tag_key"))
    }

    /// Answers `me show`.
    func showMe() async throws -> JSONValue {
        let profile = try await myProfile()
        let whole = profile.whole
        var members = whole.shown
        members["person"] = .string(context.me.description)
        members["device"] = .string(context.device.description)
        members["suffix"] = .string(context.me.suffix)
        members["complete"] = .boolean(whole.isComplete)
        members["keptPrivate"] = .array(profile.keptNames.map { .string($0) })
        return .object(members)
    }

    /// Does `me edit`: checks everything first and then writes what changed.
    func editMe(_ arguments: Arguments) async throws -> JSONValue {
        let before = try await myProfile()
        let edit = try ProfileEdit(arguments)
        try await write(edit.applied(to: before.whole), keeping: edit.keptPrivate, over: before)
        return try await showMe()
    }

    /// Writes a profile. What becomes private stands in *self* before it leaves the card, and
    /// what becomes public leaves *self* last, so a crash in between loses no field.
    private func write(
        _ whole: Profile, keeping: Set<ProfileField>?, over before: MyProfile
    ) async throws {
        let kept = keeping ?? before.keptPrivate
        let own = Profile(whole.values.filter { kept.contains($0.key) })
        let card = Profile(whole.values.filter { !kept.contains($0.key) })
        var ownFields = own.columns.filter { $0.value != .null }
        let names = ProfileField.allCases.filter(kept.contains).map { Value.text($0.name) }
        if kept != before.keptPrivate { ownFields["kept_private"] = .list(names) }
        ownFields = ownFields.filter { $0.value != before.own.columns[$0.key] }
        try await writeOwn(ownFields)
        try await writeCard(
            card.columns.filter { $0.value != before.card.columns[$0.key] }, over: before)
        try await writeOwn(
            own.columns.filter { $0.value == .null && before.own.columns[$0.key] != .null })
    }

    private func writeOwn(_ fields: [String: Value]) async throws {
        guard !fields.isEmpty else { return }
        try await author(
            [.own(collection: Self.privateProfile.name, fields: fields)], in: .own(context.me))
    }

    private func writeCard(_ fields: [String: Value], over before: MyProfile) async throws {
        var fields = fields
        if before.tagKey == nil { fields["tag_key"] = freshTagKey() }
        guard !fields.isEmpty else { return }
        try await author(
            [.own(collection: Self.profile.name, fields: fields)], in: .card(context.me))
    }

    /// Completes an edit that a crash cut in two, and gives the card its first tag key.
    func mendProfile() async throws {
        let profile = try await myProfile()
        try await write(profile.whole, keeping: nil, over: profile)
    }

    /// Makes my announcements unknown to whoever could tell them until now.
    func rotateTagKey() async throws {
        try await author(
            [.own(collection: Self.profile.name, fields: ["tag_key": freshTagKey()])],
            in: .card(context.me))
    }

    private func freshTagKey() -> Value { .bytes(context.random.bytes(Self.tagKeyBytesCount)) }

    /// The fields that mates and a drop are given.
    public func myCard() async throws -> [String: JSONValue] {
        let profile = try await myProfile()
        return profile.card.shown.filter { name, _ in !profile.keptNames.contains(name) }
    }

    /// The names of the fields that stay with me.
    public func keptPrivate() async throws -> [String] { try await myProfile().keptNames }

    /// A card from outside, cut to the profile's rules.
    public func checkedCard(_ card: [String: JSONValue]) async -> [String: JSONValue] {
        Profile(card: card).shown
    }
}
