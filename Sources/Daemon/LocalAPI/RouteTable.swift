import ControlAPI
import PluginKit

/// Maps paths to commands, and explains a path that names none.
struct RouteTable: Sendable {
    private let commands: [String: CommandDeclaration]

    init(_ declarations: [CommandDeclaration]) {
        commands = Dictionary(declarations.map { ($0.route, $0) }) { first, _ in first }
    }

    /// Returns the command of a path; one extra slash at its end is accepted.
    /// - Throws: ``CommandFault/notFound(_:)``, which lists the existing commands.
    func command(_ path: String) throws(CommandFault) -> CommandDeclaration {
        let parts = path.split(separator: "/").map(String.init)
        if let command = commands["/" + parts.joined(separator: "/")] { return command }
        let noun = parts.count > 1 ? parts[1] : ""
        let verbs = commands.values.filter { $0.noun == noun }.map(\.verb).sorted()
        guard parts.first != "v1" || verbs.isEmpty else {
            throw .notFound(
                "there is no \(path): '\(noun)' knows \(verbs.joined(separator: ", "))")
        }
        let nouns = Set(commands.values.map(\.noun)).sorted().joined(separator: ", ")
        throw .notFound(
            "there is no \(path): a path is /v1/noun/verb, and the nouns are \(nouns); "
                + "\(OpenAPIDocument.route) describes them all")
    }
}
