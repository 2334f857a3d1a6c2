import Contract
import ControlAPI
import GtkKit
import PanelKit

/// A row with a button that starts some work. The row tells the result.
@MainActor
final class TaskRow: ActionRow {
    private let button: Button

    /// Creates a row.
    /// - Parameters:
    ///   - sentence: the effect, before anything was done.
    ///   - button: the text of the button.
    init(
        _ title: String, _ sentence: String, button text: String,
        _ action: @escaping @MainActor () -> Void
    ) {
        button = Button(text, action)
        super.init(title, subtitle: sentence)
        addMainSuffix(button)
        stackedIfLarge()
    }

    /// Does the work and shows its result, or why it failed; the button waits for that.
    func perform(_ doing: String, _ work: @escaping @MainActor () async throws -> String) {
        button.isEnabled = false
        subtitle = doing
        Task {
            do {
                subtitle = try await work()
            } catch {
                subtitle = "⚠ \(CommandFault(error).shown())"
            }
            button.isEnabled = true
        }
    }
}
