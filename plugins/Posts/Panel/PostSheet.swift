import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit
import PostsAPI

/// The sheet that writes a post, or changes one, with the limits beside the fields.
@MainActor
final class PostSheet: FormSheet {
    /// The end of a sheet.
    enum End: Equatable, Sendable {
        case cancelled, kept, published
    }

    /// Called when the sheet is finished.
    var onDone: @MainActor (End) -> Void = { _ in }
    /// Called when the user wants to choose the location on the map.
    var onChooseLocation: @MainActor () -> Void = {}
    /// Publishes the post, or changes it.
    var onPublish: @MainActor (PostForm) async throws -> Void = { _ in }
    /// Keeps the form as a draft.
    var onKeep: @MainActor (PostForm) async throws -> Void = { _ in }
    /// The number of photos whose thumbnails others still keep today, in each neighbourhood; empty
    /// while it is not known.
    var photosLeft: [Key: Int] = [:] { didSet { update() } }
    /// The bytes that others still store of the user today, in each neighbourhood; empty while it
    /// is not known.
    var bytesLeft: [Key: Int] = [:] { didSet { update() } }
    /// The fields as they are now.
    private(set) var form: PostForm

    private let context: PanelContext
    private let places: [NeighbourhoodList.Entry]
    private let opener = PictureOpener()
    private let place: DropDown
    private let category = DropDown(PostCategory.allCases.map(PostWords.name))
        .named(localized("Category")).aligned(.start)
    private let title = Entry(width: 12, placeholder: localized("A vet on Sundays?"))
        .named(localized("Title"))
    private let titleCount = Label().styled("hint").width(characters: 34)
    private let text = TextArea(placeholder: localized("What do you want to say?"))
        .named(localized("Text"))
    private let textCount = Label().styled("hint").width(characters: 34)
    private let photos: FormPhotos
    private let location = Label().width(characters: 34)
    private let here = Button(localized("Where I am"))
    private let choose = Button(localized("Choose on the map…"))
    private let nowhere = Button(localized("Without a location"))
    private let exact = CheckButton(localized("Tell it exactly, not to 100 m"))
    private let walk = Label(
        localized("It tells the distance and time of your walk, which a draft does not keep.")
    ).width(characters: 34)
    private let noWalk = Button(localized("Without the walk")).aligned(.start)
    private let hint = Label().styled("hint").width(characters: 34)
    private let keep = Button(localized("Keep as a draft"))
    private let publish: Button
    private var photosNote = ""

    private static let textPixelsMax: Int32 = 180

    /// Creates a sheet.
    /// - Parameters:
    ///   - form: the fields as they are shown first.
    ///   - places: the joined neighbourhoods.
    init(
        _ context: PanelContext, form: PostForm, places: [NeighbourhoodList.Entry],
        thumbnails: PostThumbnailLoader
    ) {
        self.context = context
        self.form = form
        self.places = places
        place = DropDown(places.map(\.name.string)).named(localized("Neighbourhood"))
            .aligned(.start)
        photos = FormPhotos(context, thumbnails)
        publish = Button(form.isChange ? localized("Save") : localized("Publish")).suggested()
        super.init(title: form.isChange ? localized("Edit the post") : localized("Write a post"))
        if self.form.space == nil { self.form.space = places.first?.id }
        fill()
        assemble()
        update()
    }

    private func fill() {
        place.selection = places.firstIndex { $0.id == form.space } ?? 0
        category.selection = PostCategory.allCases.firstIndex(of: form.category) ?? 0
        title.text = form.title
        text.text = form.text
        exact.isOn = form.isExact
    }

    private func assemble() {
        let buttons = Box(
            .down, spacing: 6,
            [
                Box(TextScale.isLarge ? .down : .across, spacing: 6, [here, choose]),
                nowhere.aligned(.start),
            ]
        ).aligned(.start)
        let point = Box(.down, spacing: 6, [location, buttons, exact])
        let placeField = field(localized("Neighbourhood"), place)
        // A post stays in its neighbourhood.
        placeField.isVisible = places.count > 1 && !form.isChange
        let cancel = Button(localized("Cancel")) { [weak self] in self?.onDone(.cancelled) }
        for view in [
            placeField, walk, noWalk, field(localized("Category"), category),
            field(localized("Title"), title, in: Box(.down, spacing: 4, [title, titleCount])),
            field(
                localized("Text"), text,
                in: Box(
                    .down, spacing: 4,
                    [
                        text.framed(growingUpTo: Self.textPixelsMax).minimum(height: 96),
                        textCount,
                    ])),
            field(localized("Photos"), photos), field(localized("Location"), point),
        ] { append(view) }
        keep.isVisible = !form.isChange
        setFooter(hint: hint, buttons: [cancel, keep, publish])
        connect()
    }

    private func connect() {
        for change in [place.onChange, category.onChange, exact.onChange, title.onChange] {
            change { [weak self] in self?.update() }
        }
        text.onChange { [weak self] in self?.update() }
        here.onClick { [weak self] in
            guard let self else { return }
            show(context.people.myLocation)
        }
        noWalk.onClick { [weak self] in
            self?.form.walk = nil
            self?.update()
        }
        choose.onClick { [weak self] in self?.onChooseLocation() }
        nowhere.onClick { [weak self] in self?.show(nil) }
        photos.onAdd = { [weak self] in self?.askForPhotos() }
        photos.onRemove = { [weak self] photo in
            self?.form.remove(photo)
            self?.photosNote = ""
            self?.update()
        }
        photos.onFault = { [weak self] photo, fault in
            self?.form.leaveOut(photo, because: fault)
            self?.update()
        }
        onFilesDropped { [weak self] in self?.add(files: $0) }
        keep.onClick { [weak self] in
            self?.submit(.kept) { sheet in try await sheet.onKeep(sheet.form) }
        }
        publish.onClick { [weak self] in
            self?.submit(.published) { sheet in try await sheet.onPublish(sheet.form) }
        }
    }

    /// Moves the keyboard focus to the title.
    func focusFirst() { title.grabFocus() }

    /// Shows another location; nil for none.
    func show(_ location: Coordinate?) {
        form.location = location
        update()
    }

    private func askForPhotos() {
        opener.ask(
            title: localized("Add photos"), kind: localized("Pictures"), several: true
        ) { [weak self] in self?.add(files: $0) }
    }

    /// Adds pictures to the post, as far as there is room.
    private func add(files paths: [String]) {
        let left = form.add(files: paths)
        let max = PostCommands.photosCountMax
        photosNote = left == 0 ? "" : localized("A post has at most \(max) photos.")
        update()
    }

    private func update() {
        let spaces = places.map(\.id)
        if !form.isChange, spaces.indices.contains(place.selection) {
            form.space = spaces[place.selection]
        }
        let categories = PostCategory.allCases
        if categories.indices.contains(category.selection) {
            form.category = categories[category.selection]
        }
        form.title = title.text
        form.text = text.text
        form.isExact = exact.isOn
        titleCount.text = form.titleCount
        textCount.text = form.textCount
        photos.show(form.photos, canAdd: form.canAddPhotos, note: photosLine)
        location.text = locationLine
        nowhere.isVisible = form.location != nil
        for part in [walk, noWalk] { part.isVisible = form.walk != nil }
        exact.isVisible = form.location != nil
        if here.isEnabled != (context.people.myLocation != nil) {
            here.isEnabled = context.people.myLocation != nil
        }
        setFault(nil)
        let fault = form.fault
        let isBegun = form.isWorthKeeping || form.isChange
        hint.text =
            fault.map { isBegun ? "⚠ \($0)" : $0 } ?? dayWarning
            ?? localized("Everyone who joined the neighbourhood can read it for 30 days.")
        hint.setStyle("fault", on: fault != nil && isBegun)
        publish.isEnabled = fault == nil
        keep.isEnabled = form.isWorthKeeping
    }

    private var dayWarning: String? {
        guard form.exceedsDay(bytesLeft) else { return nil }
        let warning = localized(
            "This is more than others still store of you today. Shorten it, or wait until midnight "
                + "UTC.")
        return "⚠ \(warning)"
    }

    private var photosLine: String {
        let faults = form.photoFaults.map { "⚠ \($0)" } + (photosNote.isEmpty ? [] : [photosNote])
        if !faults.isEmpty { return faults.joined(separator: "\n") }
        if form.addsTooManyPhotos(photosLeft) {
            let warning = localized(
                "You are adding many photos today. Others see some of them only after opening "
                    + "them.")
            return "⚠ \(warning)"
        }
        let max = PostCommands.photosCountMax
        guard !form.photos.isEmpty else {
            return localized("Up to \(max). Where they were taken is not sent.")
        }
        let count = localized("\(form.photos.count) of \(max) photos")
        return form.isChange ? count : localized("\(count). A draft keeps no photos.")
    }

    private var locationLine: String {
        guard form.replacesLocation else { return newLocationLine }
        let earlier = localized("Other devices keep the earlier location for up to 30 days.")
        return "\(newLocationLine) \(earlier)"
    }

    private var newLocationLine: String {
        guard let chosen = form.location else {
            return localized("Without a location, it is not on the map.")
        }
        let text = chosen.text
        return form.isExact
            ? localized("Others see the exact location: \(text).")
            : localized("Others see it rounded to 100 m: near \(text).")
    }

    private func submit(_ end: End, _ action: @escaping @MainActor (PostSheet) async throws -> Void)
    {
        let buttons = [keep, publish]
        for button in buttons { button.isEnabled = false }
        Task {
            do {
                try await action(self)
                onDone(end)
            } catch {
                update()
                setFault(CommandFault(error).shown(labels: PostForm.labels))
            }
        }
    }
}
