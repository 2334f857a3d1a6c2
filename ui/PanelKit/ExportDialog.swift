public import Contract
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
    /// - Parameters:
    ///   - name: the proposed name without its ending, such as that of a person.
    ///   - ending: the ending of the file, without a dot.
    ///   - request: returns the request that writes the file at a path.
    public func ask<Request>(
        title: String, name: String, ending: String, _ command: Command<Request, SavedFile>,
        _ request: @escaping @MainActor (FilePath) -> Request
    ) {
        saver.ask(title: title, name: Self.fileName(name, ending), mayReplace: false) {
            [context] path in
            do { context.perform(command, request(try FilePath(path))) } catch {
                context.report(error)
            }
        }
    }

    /// Returns the name of a file that is called after something: letters, digits, and hyphens in
    /// place of everything else.
    static func fileName(_ name: String, _ ending: String) -> String {
        let plain = name.map { $0.isLetter || $0.isNumber ? $0 : "-" }
        let words = String(plain).split(separator: "-").joined(separator: "-")
        return (words.isEmpty ? "waggle" : words) + "." + ending
    }
}
