import Contract
import ControlAPI
import GtkKit
import PanelKit

/// The sheet that adds an entry.
@MainActor
final class Add__Name__Sheet: Sheet {
    /// Called when the sheet is finished.
    var onDone: @MainActor () -> Void = {}

    private let model: __Name__Model
    private let text = Entry(width: 30, placeholder: localized("One line"))
        .named(localized("Text"))

    /// Creates a sheet that adds through a model.
    init(model: __Name__Model) {
        self.model = model
        super.init(title: localized("Add to __Name__"))
        let cancel = Button(localized("Cancel")) { [weak self] in self?.onDone() }
        let add = Button(localized("Add")) { [weak self] in self?.submit() }.suggested()
        text.onEnter { [weak self] in self?.submit() }
        for view in [text, faultView] { append(view) }
        setButtons([cancel, add])
    }

    /// Puts the keyboard into the first field.
    func focusFirst() { text.grabFocus() }

    private func submit() {
        Task {
            do {
                try await model.add(text.text)
                onDone()
            } catch {
                setFault(CommandFault(error).shown())
            }
        }
    }
}
