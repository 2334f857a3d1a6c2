import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The page of a new user: what Waggle is, in three lines, and two fields.
@MainActor
final class FirstRunView: Box {
    /// Called when the page is finished, saved or not.
    var onDone: @MainActor () -> Void = {}
    /// Called when the user has recovery words.
    var onRecover: @MainActor () -> Void = {}

    private let node: any NodeConnection
    private let nickname = Entry(width: 12).named(localized("Your name"))
    private let dogName = Entry(width: 12).named(localized("Your dog's name"))
    private let nicknameRow = ActionRow(localized("Your name"), subtitle: nicknameHint)
    private let dogNameRow = ActionRow(localized("Your dog's name"), subtitle: dogNameHint)
    private let fault = Label().styled("fault").role(.alert).hidden()
    private let start = Button(localized("Start")).suggested()
    private let later = Button(localized("Later"))
    private let recover = Button(localized("I have used Waggle before")).flat()

    private static let nicknameHint = localized("1 to 20 characters")
    private static let dogNameHint = localized("Optional")
    /// The width of the two fields, in pixels.
    private static let fieldsPixelsMax: Int32 = 440

    init(node: any NodeConnection) {
        self.node = node
        super.init(.down, spacing: 18)
        styled("page").aligned(.fill, .centre)
        nicknameRow.addSuffix(nickname)
        dogNameRow.addSuffix(dogName)
        for view in [
            Icon(Home.application, pixels: 96),
            Label(localized("Welcome to Waggle")).styled("large-title").centred(),
            Label(
                localized(
                    "Meet people and dogs around you: exchange cards, walk, keep promises.\n"
                        + "No account, no server: everything stays on your devices.\n"
                        + "Others get your card only when you both say yes.")
            ).centred().width(characters: 60),
            Clamp(
                RowList([nicknameRow, dogNameRow]).role(.list).named(localized("About you")),
                pixelsMax: Self.fieldsPixelsMax),
            fault.centred(),
            Box(.across, spacing: 8, [later, start]).aligned(.centre),
            recover.aligned(.centre),
        ] { append(view) }
        for entry in [nickname, dogName] {
            entry.onChange { [weak self] in self?.update() }
            entry.onEnter { [weak self] in self?.submit() }
        }
        start.onClick { [weak self] in self?.submit() }
        later.onClick { [weak self] in self?.onDone() }
        recover.onClick { [weak self] in self?.onRecover() }
        update()
    }

    /// Moves the keyboard focus to the name.
    func focusFirst() { nickname.grabFocus() }

    private var form: ProfileForm {
        var form = ProfileForm()
        form.nickname = nickname.text
        form.dogName = dogName.text
        return form
    }

    private func update() {
        let form = form
        show(
            nickname.text.isEmpty ? nil : form.fault(in: .nickname), in: nicknameRow,
            else: Self.nicknameHint)
        show(form.fault(in: .dogName), in: dogNameRow, else: Self.dogNameHint)
        start.isEnabled = form.isValid
    }

    private func show(_ fault: String?, in row: ActionRow, else hint: String) {
        row.subtitle = fault.map { "⚠ \($0)" } ?? hint
    }

    private func submit() {
        guard form.isValid, start.isEnabled else { return }
        start.isEnabled = false
        Task {
            do {
                let name = try Nickname(nickname.text, field: "nickname")
                let dog: DogName? =
                    dogName.text.trimmed.isEmpty ? nil : try Text(dogName.text, field: "dogName")
                _ = try await node.call(
                    ProfileCommands.edit, EditProfile(nickname: name, dogName: dog))
                fault.isVisible = false
                onDone()
            } catch {
                fault.text = "⚠ \(CommandFault(error).shown())"
                fault.isVisible = true
            }
            update()
        }
    }
}
