internal import FeaturesAPI
internal import PluginKit

/// My profile, and the cards of others. All of their data is in the tables.
struct Profiles: Feature {
    let context: PluginContext

    /// The photos, mine and those of others.
    var photos: ProfilePhotos { ProfilePhotos(context: context) }

    /// The length of the key that recognises my announcements, in bytes.
    static let tagKeyBytesCount = 32

    /// Completes an edit that a crash interrupted, and gives the card its first tag key.
    func start() async throws {
        let profile = try await myProfile()
        try await write(profile.whole, keeping: nil, over: profile)
        do {
            try await photos.place(isPrivate: profile.keepsPhotoPrivate)
        } catch CommandFault.conflict {
            // The photo moves when its content is here: see `contentArrived`.
        }
    }

    func applied(_ changes: [RecordChange]) async throws {
        try await photos.fetch(changes)
        if changes.contains(where: { Self.isMine($0, me: context.me) }) { try await hideFields() }
    }

    /// Removes a field from the card that one of my devices edited there while another one made it
    /// private.
    private func hideFields() async throws {
        let profile = try await myProfile()
        guard profile.showsPrivateField else { return }
        try await write(profile.whole, keeping: nil, over: profile)
    }

    func contentArrived(_ blob: Blob, in space: SpaceDescriptor) async throws {
        guard let person = space.other(than: context.me) else {
            try await photos.place(isPrivate: myProfile().keepsPhotoPrivate)
            return await context.publish(ProfileEvents.changed, ProfileChange())
        }
        await context.publish(
            MateEvents.changed, MateChange(person: Key(person), part: .profile))
    }

    /// The names of other people are also in walk requests, in the inbox and nearby.
    func events(after changes: [RecordChange]) -> [EventMessage] {
        changes.flatMap { change -> [EventMessage] in
            guard !Self.isMine(change, me: context.me) else {
                return [EventMessage(ProfileEvents.changed, ProfileChange())]
            }
            let person = change.space.other(than: context.me).map { Key($0) }
            guard change.collection != ProfilePhotos.collection.name else {
                return [
                    EventMessage(MateEvents.changed, MateChange(person: person, part: .profile))
                ]
            }
            return [
                EventMessage(MateEvents.changed, MateChange(person: person, part: .profile)),
                EventMessage(NearbyEvents.changed, NearbyChange(part: .people)),
                EventMessage(WalkEvents.changed, WalkChange(person: person)),
                EventMessage(
                    InboxEvents.changed,
                    InboxChange(kinds: [Walks.inboxKind, GroupInbox.inboxKind])),
            ]
        }
    }

    /// Returns whether a change is one of my own profile.
    static func isMine(_ change: RecordChange, me: PersonID) -> Bool {
        change.collection == privateProfile.name
            || [profile.name, ProfilePhotos.collection.name].contains(change.collection)
                && [.card(me), .own(me)].contains(change.space)
    }

    /// Reads my profile.
    func myProfile() async throws -> StoredProfile {
        let mine: [Value] = [.bytes(context.me.bytes)]
        let card = try await context.replica.rows(
            "SELECT * FROM neighbours_profile WHERE creator = ?", mine)
        let own = try await context.replica.rows(
            "SELECT * FROM neighbours_private_profile WHERE creator = ?", mine)
        return StoredProfile(card: card.first, own: own.first)
    }

    /// Returns the fields that mates and a drop receive.
    func myCard() async throws -> ProfileFields { try await myProfile().shownCard }

    /// Returns the fields that I keep private.
    func keptPrivate() async throws -> [OptionalField] { try await myProfile().kept }

    /// Answers `me show`.
    func showMe() async throws -> MyProfile {
        let profile = try await myProfile()
        let whole = profile.whole
        let fields = whole.fields
        let photo = try await photos.mine()
        return MyProfile(
            nickname: fields.nickname, dogName: fields.dogName, age: fields.age, sex: fields.sex,
            neutered: fields.neutered, size: fields.size, keywords: fields.keywords,
            person: Key(context.me), device: Key(context.device), suffix: KeySuffix(context.me),
            complete: whole.isComplete, keptPrivate: profile.kept,
            photoMs: photo?.at, photoHere: try await isHere(photo))
    }

    /// Performs `me edit`: checks everything first and then writes the changes.
    func editMe(_ request: EditProfile) async throws -> MyProfile {
        let before = try await myProfile()
        let edit = try ProfileEdit(request)
        try await write(edit.applied(to: before.whole), keeping: edit.keptPrivate, over: before)
        if edit.removesPhoto, try await photos.mine() != nil { try await photos.remove() }
        if let kept = edit.keptPrivate {
            try await photos.place(isPrivate: kept.contains(.photo))
        }
        return try await showMe()
    }

    /// Performs `me photo`.
    func changePhoto(_ request: ChangePhoto) async throws -> MyProfile {
        switch (request.file, request.remove ?? false) {
        case (nil, true): try await photos.remove()
        case (let file?, false):
            // The picture is read before anything changes: a refusal keeps the photo before.
            let picture = try await context.photos.encode(.file(path: file.string), for: .profile)
            try await photos.choose(picture, isPrivate: myProfile().keepsPhotoPrivate)
        default: throw CommandFault.refused("Name a picture, or remove the photo.")
        }
        return try await showMe()
    }

    /// Returns whether the content of my photo is on this device; nil without a photo.
    private func isHere(_ photo: ProfilePhotos.Photo?) async throws -> Bool? {
        guard let photo else { return nil }
        return try await context.blobs.file(of: photo.blob, in: photo.space) != nil
    }

    /// Writes a profile. A field that becomes private enters the private table before it leaves
    /// the card, and one that becomes public leaves the private table last, so a crash in between
    /// loses no field.
    func write(
        _ whole: Profile, keeping: Set<OptionalField>?, over before: StoredProfile
    ) async throws {
        let kept = keeping ?? before.keptPrivate
        let isKept = { (field: ProfileField) in field.optional.map(kept.contains) ?? false }
        let own = Profile(whole.values.filter { isKept($0.key) })
        let card = Profile(whole.values.filter { !isKept($0.key) })
        var ownFields = own.columns.filter { $0.value != .null }
        let names = OptionalField.allCases.filter(kept.contains).map { Value.text($0.rawValue) }
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
        try await context.author(
            [.own(collection: Self.privateProfile.name, fields: fields)], in: .own(context.me))
    }

    private func writeCard(_ fields: [String: Value], over before: StoredProfile) async throws {
        var fields = fields
        if before.tagKey == nil { fields["tag_key"] = freshTagKey() }
        guard !fields.isEmpty else { return }
        try await context.author(
            [.own(collection: Self.profile.name, fields: fields)], in: .card(context.me))
    }

    private func freshTagKey() -> Value { .bytes(context.random.bytes(Self.tagKeyBytesCount)) }
}

extension Profiles: CardKeeper {
    func cards() async throws -> [PersonID: Profile] {
        let rows = try await context.replica.rows("SELECT * FROM neighbours_profile")
        return Dictionary(
            rows.compactMap { row in row.person("creator").map { ($0, Profile(row)) } },
            uniquingKeysWith: { first, _ in first })
    }

    func photoTimes() async throws -> [PersonID: Timestamp] { try await photos.times() }

    func hasCard(of person: PersonID) async throws -> Bool {
        try await !context.replica.rows(
            "SELECT 1 AS found FROM neighbours_profile WHERE creator = ? LIMIT 1",
            [.bytes(person.bytes)]
        ).isEmpty
    }

    func rotateTagKey() async throws {
        try await context.author(
            [.own(collection: Self.profile.name, fields: ["tag_key": freshTagKey()])],
            in: .card(context.me))
    }
}
