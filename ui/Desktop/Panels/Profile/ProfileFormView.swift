import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The user's card as a form.
@MainActor
final class ProfileFormView: Box {
    /// Called when the form is finished, saved or not.
    var onDone: @MainActor () -> Void = {}

    private let node: any NodeConnection
    private let photo: PhotoField
    private let title = Label(localized("Edit your card")).styled("page-title")
    private let nickname = Entry(width: 16).named(localized("Your name"))
    private let dogName = Entry(width: 16).named(localized("Your dog's name"))
    private let age = Entry(width: 4).named(localized("The dog's age in years"))
    private let sex = RadioGroup([localized("Not given"), localized("Male"), localized("Female")])
        .named(localized("The dog's sex"))
    private let neutered = RadioGroup([localized("Not given"), localized("Yes"), localized("No")])
        .named(localized("Neutered"))
    private let dogSize = RadioGroup([
        localized("Not given"), localized("Small"), localized("Medium"), localized("Big"),
    ])
    .named(localized("The dog's size"))
    private let keywords = DogKeyword.allCases.map { CheckButton($0.text) }
    private let fields = Box(.down, spacing: 14)
    private let fault = Label().styled("fault").hidden()
    private let save = Button(localized("Save")).suggested()
    private let cancel = Button(localized("Cancel"))
    private var hints: [ProfileForm.Field: Label] = [:]
    private var privacy: [OptionalField: CheckButton] = [:]
    private var touched: Set<ProfileForm.Field> = []
    private var isFilling = false

    init(_ context: PanelContext) {
        node = context.node
        photo = PhotoField(context)
        super.init(.down, spacing: 12)
        aligned(.centre, .start).margin(across: 16, down: 16)
        append(title)
        append(
            Label(
                localized(
                    "Mates see this once you have met and both accepted. Change it at any time.")
            )
            .styled("dim").width(characters: 44))
        append(fields)
        append(fault.role(.alert))
        append(Box(.across, spacing: 8, [cancel, save]).aligned(.end))
        addRows()
        connect()
    }

    /// Fills the form from the node.
    func fill(_ me: MyProfile?) {
        isFilling = true
        defer { isFilling = false }
        touched = []
        set(me.map(ProfileForm.init) ?? ProfileForm())
        photo.fill(me)
        fault.isVisible = false
        validate()
    }

    /// Fills in what a contact file says; nothing is saved yet.
    func use(_ contact: DroppedContact) {
        var filled = form
        filled.fill(contact.profile)
        isFilling = true
        set(filled)
        isFilling = false
        touched.formUnion(ProfileForm.Field.allCases)
        if let photo = contact.photo { self.photo.use(.bytes(photo)) }
        validate()
    }

    /// Uses a file that was dropped as the photo.
    func use(file path: String) { photo.use(.file(path: path)) }

    /// Moves the keyboard focus to the first line.
    func focusFirst() {
        nickname.grabFocus()
    }

    private func addRows() {
        addRow(.photo, localized("Photo"), photo)
        addRow(.nickname, localized("Your name"), nickname)
        addRow(.dogName, localized("Dog's name"), dogName)
        addRow(.age, localized("Dog's age"), age)
        addRow(.sex, localized("Sex"), sex)
        addRow(.neutered, localized("Neutered"), neutered)
        addRow(.size, localized("Size"), dogSize)
        addRow(
            .keywords, localized("Keywords"),
            Box(.down, spacing: 2, keywords).role(.group).named(localized("Keywords")))
    }

    /// Adds a field: its name and whether it is kept private in one line, the control under it.
    private func addRow(_ field: ProfileForm.Field, _ text: String, _ control: Widget) {
        let label = Label(text).labels(control).styled("field-title").expanding(across: true)
        let line = Box(.across, spacing: 12, [label])
        if let optional = field.optional {
            let box = CheckButton(localized("Keep private"))
            box.named(localized("Keep private: \(text.lowercased())"))
            box.tooltip(localized("It stays on your own devices and is not in your card."))
            privacy[optional] = box
            line.append(box)
        }
        let row = Box(.down, spacing: 4, [line, control.aligned(.start, .centre)])
        if let hint = Self.hint(of: field) {
            let label = Label(hint).styled("hint")
            hints[field] = label
            row.append(label)
        }
        fields.append(row)
    }

    private func connect() {
        let lines: [(ProfileForm.Field, Entry)] = [
            (.nickname, nickname), (.dogName, dogName), (.age, age),
        ]
        for (field, entry) in lines {
            entry.onChange { [weak self] in self?.touch(field) }
            entry.onEnter { [weak self] in self?.submit() }
        }
        for box in keywords { box.onChange { [weak self] in self?.touch(.keywords) } }
        save.onClick { [weak self] in self?.submit() }
        cancel.onClick { [weak self] in self?.onDone() }
    }

    private func touch(_ field: ProfileForm.Field) {
        guard !isFilling else { return }
        touched.insert(field)
        validate()
    }

    private func validate() {
        let form = form
        let isFull = form.keywords.count >= DogKeywords.count.upperBound
        for box in keywords { box.isEnabled = box.isOn || !isFull }
        for (field, hint) in hints {
            let sentence = touched.contains(field) ? form.fault(in: field) : nil
            hint.text = sentence.map { "⚠ \($0)" } ?? Self.hint(of: field) ?? ""
            hint.setStyle("fault", on: sentence != nil)
        }
        save.isEnabled = form.isValid
    }

    private static func hint(of field: ProfileForm.Field) -> String? {
        switch field {
        case .nickname: localized("1 to 20 characters")
        case .dogName: localized("1 to 15 characters; optional")
        case .age: localized("Whole years, 0 to 99; optional")
        case .keywords: localized("One or two that fit; optional")
        case .photo, .sex, .neutered, .size: nil
        }
    }

    private func submit() {
        let form = form
        guard form.isValid else { return }
        Task {
            do {
                _ = try await node.call(ProfileCommands.edit, form.edit())
                try await savePhoto()
                onDone()
            } catch {
                fault.text = "⚠ \(CommandFault(error).shown())"
                fault.isVisible = true
            }
        }
    }

    private func savePhoto() async throws {
        let node = node
        switch photo.draft {
        case .unchanged: return
        case .picture(.file(let path)):
            _ = try await node.call(ProfileCommands.photo, ChangePhoto(file: FilePath(path)))
        case .picture(.bytes(let bytes)):
            _ = try await PastedPicture.with(bytes) { path in
                try await node.call(ProfileCommands.photo, ChangePhoto(file: FilePath(path)))
            }
        case .removed: _ = try await node.call(ProfileCommands.photo, ChangePhoto(remove: true))
        }
    }

    private var form: ProfileForm {
        var form = ProfileForm()
        form.nickname = nickname.text
        form.dogName = dogName.text
        form.age = age.text
        form.sex = sex.selection == 0 ? nil : DogSex.allCases[sex.selection - 1]
        form.neutered = neutered.selection == 0 ? nil : neutered.selection == 1
        form.size = dogSize.selection == 0 ? nil : DogSize.allCases[dogSize.selection - 1]
        form.keywords = zip(DogKeyword.allCases, keywords).filter { $1.isOn }.map { $0.0 }
        form.keptPrivate = Set(privacy.filter { $1.isOn }.map(\.key))
        return form
    }

    private func set(_ form: ProfileForm) {
        nickname.text = form.nickname
        dogName.text = form.dogName
        age.text = form.age
        sex.selection = (form.sex.flatMap(DogSex.allCases.firstIndex) ?? -1) + 1
        neutered.selection = form.neutered.map { $0 ? 1 : 2 } ?? 0
        dogSize.selection = (form.size.flatMap(DogSize.allCases.firstIndex) ?? -1) + 1
        for (word, box) in zip(DogKeyword.allCases, keywords) {
            box.isOn = form.keywords.contains(word)
        }
        for (field, box) in privacy { box.isOn = form.keptPrivate.contains(field) }
    }
}
