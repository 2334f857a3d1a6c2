import Contract
import ControlAPI
import GtkKit

/// The dialog for the name of a new file, which the node then writes for another program.
@MainActor
public final class ExportDialog {
    private let saver = FileSaver()
    private let context: PanelContext

    /// Creates a dialog that is not shown yet.
    public init(_ context: PanelContext) { self.context = context }

    /// Asks for a file and performs the command that writes it. A refusal is shown in a bar.
    public func ask<Request>(title: String, _ export: Export<Request>) {
        saver.ask(title: title, name: export.fileName, mayReplace: false) { [context] path in
            do { context.perform(export.command, export.request(try FilePath(path))) } catch {
                context.report(error)
            }
        }
    }
}
