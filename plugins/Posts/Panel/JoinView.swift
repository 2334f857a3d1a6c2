import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The field that joins a neighbourhood by its name, with who will see what.
@MainActor
final class JoinView: Box {
    /// Joins a neighbourhood.
    var onJoin: @MainActor (NeighbourhoodName) async throws -> Void = { _ in }

    private let entry = Entry(width: 12, placeholder: localized("such as your district or campus"))
        .named(localized("Name of the neighbourhood"))
    private let join: Button
    private let fault = Label().styled("fault").width(characters: 34).role(.alert).hidden()

    /// Creates a field.
    /// - Parameter isFirst: whether it is the one action of its page.
    init(isFirst: Bool) {
        join = Button(localized("Join"))
        if isFirst { join.suggested() }
        super.init(.down, spacing: 8)
        let line = Box(
            TextScale.isLarge ? .down : .across, spacing: 8,
            [entry.expanding(across: true), join])
        let heading = Label(localized("Name of the neighbourhood")).styled("field-title")
            .labels(entry)
        let audience = Label(localized(JoinNeighbourhood.audience)).styled("dim")
            .width(characters: 34)
        for view in [audience, heading, line, fault] { append(view) }
        entry.onChange { [weak self] in self?.show(fault: nil) }
        entry.onEnter { [weak self] in self?.submit() }
        join.onClick { [weak self] in self?.submit() }
        show(fault: nil)
    }

    /// Moves the keyboard focus to the name.
    func focusFirst() { entry.grabFocus() }

    private func show(fault sentence: String?) {
        fault.text = sentence.map { "⚠ \($0)" } ?? ""
        fault.isVisible = sentence != nil
        join.isEnabled = !entry.text.trimmed.isEmpty
    }

    private func submit() {
        guard join.isEnabled else { return }
        join.isEnabled = false
        Task {
            do {
                try await onJoin(try NeighbourhoodName(entry.text))
                entry.text = ""
                show(fault: nil)
            } catch {
                show(
                    fault: CommandFault(error).shown(
                        labels: ["name": localized("The name of the neighbourhood")]))
            }
        }
    }
}
