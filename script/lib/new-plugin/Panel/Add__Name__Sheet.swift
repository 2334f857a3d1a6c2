import Contract
import ControlAPI
import GtkKit

/// The sheet that adds an entry.
@MainActor
final class Add__Name__Sheet: Sheet {
    /// Called when the sheet is finished.
    var onDone: @MainActor () -> Void = {}

    private let model: __Name__Model
    private let text = Entry(width: 30, placeholder: "One line").named("Text")

    /// Creates a sheet that adds through a model.
    init(model: __Name__Model) {
        self.model = model
        super.init(title: "Add to __Name__")
        let cancel = Button("Cancel") { [weak self] in self?.onDone() }
        let add = Button("Add") { [weak self] in self?.submit() }.suggested()
        text.onEnter { [weak self] in self?.submit() }
        for view in [
            text, faultView, Box(.across, spacing: 8, [cancel, add]).aligned(.end),
        ] { append(view) }
    }

    /// Puts the keyboard into the first field.
    func focusFirst() { text.grabFocus() }

    private func submit() {
        Task {
            do {
                try await model.add(text.text)
                onDone()
            } catch {
                setFault(CommandFault(error).sentence)
            }
        }
    }
}
