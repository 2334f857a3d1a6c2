import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The user's card as mates get it, with the fields that are kept private marked, the key, the
/// recovery words while they wait, and the way to delete it all.
@MainActor
final class CardView: Box {
    /// Called when the user wants to change the card.
    var onEdit: @MainActor () -> Void = {}
    /// Called when the user wants to delete everything.
    var onDelete: @MainActor () -> Void = {}
    /// Called when the user's location is to be forgotten, on mates' devices too.
    var onForgetLocation: @MainActor () -> Void = {}
    /// Called when the user leaves the page.
    var onBack: @MainActor () -> Void = {}

    private let column = Box(.down, spacing: 16)
    private let avatar: Box = Box(.across).aligned(.centre)
    private let name = Label().styled("page-title").centred()
    private let card = RowList()
    private let location = ActionRow(localized("Your location"))
    private let forget = Button(localized("Forget")).named(localized("Forget your location"))
    private let keys = RowList()
    private let edit = Button(localized("Edit")).suggested().named(localized("Edit your card"))
        .tooltip(localized("Edit your card"))
    private let photos: PersonPhotos
    private var shown: MyProfile?
    private var words: PanelAction?

    /// The width of the page, in pixels.
    private static let pixelsMax: Int32 = 520

    /// - Parameter devices: the user's devices, shown below the identity.
    init(photos: PersonPhotos, devices: DevicesSection) {
        self.photos = photos
        super.init(.down)
        styled("page")
        let back = Button(icon: "go-previous-symbolic", name: localized("Back")).flat()
        let remove = ActionRow(
            localized("Delete me"),
            subtitle: localized("Erases all your data here, and on every device in reach."))
        let delete = Button(localized("Delete me…"))
        remove.addSuffix(delete)
        location.addSuffix(forget)
        card.role(.list).named(localized("Your card"))
        for view in [
            Box(.across, [back, Box(.across).expanding(across: true), edit]), avatar, name,
            Label(localized("Your card, as mates see it")).styled("heading"), card,
            RowList([location]).role(.list).named(localized("Your location")),
            Label(localized("Your identity")).styled("heading"), keys, devices,
            RowList([remove]).role(.list).named(localized("Delete")),
        ] { column.append(view) }
        append(Clamp(column, pixelsMax: Self.pixelsMax))
        back.onClick { [weak self] in self?.onBack() }
        edit.onClick { [weak self] in self?.onEdit() }
        delete.onClick { [weak self] in self?.onDelete() }
        forget.onClick { [weak self] in self?.onForgetLocation() }
    }

    /// Moves the keyboard focus to the button that changes the card.
    func focusFirst() { edit.grabFocus() }

    /// Shows the user.
    /// - Parameter words: shows the recovery words; nil if they are confirmed.
    func show(_ people: People, words: PanelAction?) {
        location.subtitle = people.mateVisibility
        forget.isEnabled = people.myLocation != nil
        show(people.me, words: words)
    }

    private func show(_ me: MyProfile?, words: PanelAction?) {
        guard me != shown || (words == nil) != (self.words == nil) else { return }
        shown = me
        self.words = words
        guard let me else { return }
        let picture = PersonAvatar(me.person, pixels: 72, photos: photos)
        picture.show(name: me.nickname?.string ?? "")
        avatar.replaceChildren(with: [picture])
        name.text = me.nickname?.string ?? localized("No name yet")
        card.replaceRows(with: rows(of: me))
        keys.replaceRows(
            with: [keyRow(me), codeRow()] + [words.map(wordsRow)].compactMap { $0 })
    }

    private func rows(of me: MyProfile) -> [ActionRow] {
        let kept = Set(me.keptPrivate)
        let fields = me.card.rows.map { field, text -> ActionRow in
            let row = ActionRow(field.label, subtitle: text)
            if kept.contains(field) {
                let mark = Label(localized("Private")).styled("dim").onOneLine()
                row.addSuffix(mark)
                row.tooltip(localized("Only on your own devices, never in your card."))
            }
            return row
        }
        guard fields.isEmpty else { return photoRows(of: me, kept) + fields }
        return photoRows(of: me, kept) + [
            ActionRow(localized("Only your name"), subtitle: localized("Edit to add more."))
        ]
    }

    /// Says whether mates see the photo.
    private func photoRows(of me: MyProfile, _ kept: Set<OptionalField>) -> [ActionRow] {
        guard me.photoMs != nil else { return [] }
        let isPrivate = kept.contains(.photo)
        let row = ActionRow(
            localized("Photo"),
            subtitle: isPrivate
                ? localized("Only on your own devices") : localized("Mates see it"))
        if isPrivate { row.addSuffix(Label(localized("Private")).styled("dim").onOneLine()) }
        return [row]
    }

    private func keyRow(_ me: MyProfile) -> ActionRow {
        let row = ActionRow(localized("Your key"), subtitle: me.person.inGroups)
        row.addSuffix(
            Button(localized("Copy")) { Clipboard.copy(me.person.string) }.named(
                localized("Copy your key")))
        return row
    }

    /// Says how two people check that the keys they exchange are their own.
    private func codeRow() -> ActionRow {
        ActionRow(
            localized("Check code"),
            subtitle: localized(
                "During a drop, both screens show six digits. If they match, no one is in between.")
        )
    }

    private func wordsRow(_ words: PanelAction) -> ActionRow {
        let row = ActionRow(
            localized("Recovery words"),
            subtitle: localized("Not confirmed yet: write them down, then confirm two of them."))
        row.addSuffix(
            Button(localized("Show…"), words.perform).named(localized("Show the recovery words")))
        return row
    }
}

extension Key {
    /// The digits in groups of four, which people can compare: "1b5d 2e90 …".
    var inGroups: String {
        let digits = Array(string)
        return stride(from: 0, to: digits.count, by: 4)
            .map { String(digits[$0..<min($0 + 4, digits.count)]) }.joined(separator: " ")
    }
}

extension MyProfile {
    /// The optional fields, as the card of another person has them.
    fileprivate var card: ShownProfile {
        var card = ShownProfile()
        card.dogName = dogName
        card.age = age
        card.sex = sex
        card.neutered = neutered
        card.size = size
        card.keywords = keywords
        return card
    }
}
