import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The sheet that asks for the reason before a person is blocked. The reason may be left out.
@MainActor
final class BlockSheet: Sheet {
    /// Called when the sheet is finished, with the request; nil if the user cancelled.
    var onDone: @MainActor (BlockPerson?) -> Void = { _ in }

    private let person: Key
    private let reason = DropDown(BlockForm.Choice.allCases.map(\.title))
        .named(localized("Reason"))
    private let text = Entry(width: 20).named(localized("Your reason"))
    private let own: Box

    /// Creates a sheet about a person.
    /// - Parameter isMate: whether the block ends a mateship.
    init(about person: Key, name: String, isMate: Bool) {
        self.person = person
        own = Box(.down, spacing: 4, [Label(localized("Your reason")).labels(text), text]).hidden()
        super.init(title: localized("Block \(name)?"))
        append(
            Label(
                localized(
                    "You no longer see each other, and nothing is sent to them. They are not told.")
            ).width(characters: 40))
        if isMate {
            append(
                Label(localized("You will no longer be mates, even if you unblock them later."))
                    .width(characters: 40))
        }
        append(Box(.down, spacing: 4, [Label(localized("Reason")).labels(reason), reason]))
        append(own)
        append(Label(localized("Only you see the reason.")).styled("hint").width(characters: 40))
        append(faultView)
        let block = Button(localized("Block")).destructive()
        setButtons([Button(localized("Cancel")) { [weak self] in self?.onDone(nil) }, block])
        reason.onChange { [weak self] in self?.chosen() }
        text.onChange { [weak self] in self?.setFault(nil) }
        text.onEnter { [weak self] in self?.submit() }
        block.onClick { [weak self] in self?.submit() }
    }

    /// Moves the keyboard focus to the reason.
    func focusFirst() { reason.grabFocus() }

    private var form: BlockForm {
        let choices = BlockForm.Choice.allCases
        let index = reason.selection
        return BlockForm(
            choice: choices.indices.contains(index) ? choices[index] : .none, text: text.text)
    }

    private func chosen() {
        own.isVisible = form.choice == .other
        setFault(nil)
        if own.isVisible { text.grabFocus() }
    }

    private func submit() {
        do {
            onDone(try form.request(about: person))
        } catch {
            setFault(CommandFault(error).shown(labels: ["text": localized("The reason")]))
        }
    }
}
