import ControlAPI
import PluginKit

/// Maps paths to commands, and explains a path that names none.
struct RouteTable: Sendable {
    private let commands: [String: CommandDeclaration]

    init(_ declarations: [CommandDeclaration]) {
        commands = Dictionary(declarations.map { ($0.route, $0) }) { first, _ in first }
    }

    /// Returns the command of a path, which is exactly as in the description of the API: a path
    /// with one slash more names nothing.
    /// - Throws: ``CommandFault/notFound(_:)``, which lists the existing commands.
    func command(_ path: String) throws(CommandFault) -> CommandDeclaration {
        if let command = commands[path] { return command }
        let parts = path.split(separator: "/").map(String.init)
        let noun = parts.count > 1 ? parts[1] : ""
        let verbs = commands.values.filter { $0.noun == noun }.map(\.verb).sorted()
        guard parts.first != "v1" || verbs.isEmpty else {
            throw .notFound(
                "there is no \(path): '\(noun)' has the verbs \(verbs.joined(separator: ", "))")
        }
        let nouns = Set(commands.values.map(\.noun)).sorted().joined(separator: ", ")
        throw .notFound(
            "there is no \(path): a path is /v1/noun/verb, and the nouns are \(nouns); "
                + "\(OpenAPIDocument.route) describes them all")
    }
}
