import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The sheet that waves at a mate.
@MainActor
final class WaveSheet: Sheet {
    /// Called when the sheet is finished.
    var onDone: @MainActor () -> Void = {}

    private let model: WaveModel
    private let mates: [Key]
    private let to: DropDown
    private let greeting = Entry(width: 30, placeholder: localized("Hello!")).named(
        localized("Greeting"))

    /// Creates a sheet that waves through a model.
    /// - Parameters:
    ///   - people: the people; its mates can be waved at.
    ///   - person: the mate who is chosen first; nil chooses any.
    init(model: WaveModel, people: People, to person: Key? = nil) {
        self.model = model
        mates = people.mates.map(\.person).filter(people.isMate)
        to = DropDown(mates.map { people.name(of: $0) }).named(localized("To"))
        super.init(title: localized("Wave at a mate"))
        to.selection = person.flatMap(mates.firstIndex) ?? 0
        let cancel = Button(localized("Cancel")) { [weak self] in self?.onDone() }
        let wave = Button(localized("Wave")) { [weak self] in self?.submit() }.suggested()
        greeting.onEnter { [weak self] in self?.submit() }
        for view in [to, greeting, faultView] { append(view) }
        setButtons([cancel, wave])
    }

    /// Puts the keyboard into the first field.
    func focusFirst() { to.grabFocus() }

    private func submit() {
        guard mates.indices.contains(to.selection) else {
            return setFault(localized("Choose a mate first."))
        }
        let person = mates[to.selection]
        Task {
            do {
                try await model.wave(at: person, greeting: greeting.text)
                onDone()
            } catch {
                setFault(CommandFault(error).shown())
            }
        }
    }
}
