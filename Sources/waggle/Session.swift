import CommandLineKit
import ControlAPI
import ControlClient
import Node
import PluginKit

/// Everything that a command needs: a home, the options, the environment, the terminal.
struct Session: Sendable {
    let home: Home
    let options: CommonOptions
    let environment: [String: String]
    let terminal: Terminal
    let table: CommandTable

    /// A renderer of results for a person, with ages counted from now.
    var renderer: ResultRenderer {
        ResultRenderer(
            now: SystemClock().wallTime, isColoured: terminal.isColoured)
    }

    /// Sends a command to the running node.
    func ask(_ declaration: CommandDeclaration, _ arguments: Arguments) async throws -> Int32 {
        guard declaration.follows.isEmpty else { return try await follow(declaration, arguments) }
        do {
            write(try await withClient { try await $0.perform(declaration, arguments) })
            return 0
        } catch let fault as CommandFault {
            throw fault.asTyped(for: declaration)
        }
    }

    /// Performs a command of this process.
    func perform(_ declaration: CommandDeclaration, _ arguments: Arguments) async throws -> Int32 {
        switch LocalCommand(rawValue: declaration.noun) {
        case .initialise: return try createIdentity()
        case .node: return try await runNode(arguments)
        case .doctor: return try await diagnose(arguments)
        case .watch: return try await watch(arguments.texts("topics") ?? [])
        case .backup:
            write(JSONValue(encoding: try HomeBackup.write(home, to: try file(arguments))))
            return 0
        case .restore:
            write(JSONValue(encoding: try HomeBackup.restore(try file(arguments), into: home)))
            return 0
        case .export: return try export(arguments["file"]?.string)
        case .completion:
            guard let shell = arguments["shell"]?.string.flatMap(Shell.init) else { return 2 }
            terminal.write(CompletionScript(table).text(for: shell))
            return 0
        case .help, nil:
            terminal.write(try HelpText(table).text(on: []))
            return 0
        }
    }

    /// Returns the file that a command names.
    private func file(_ arguments: Arguments) throws(CommandFault) -> String {
        guard let file = arguments["file"]?.string else { throw .usage("'file' is missing") }
        return file
    }

    /// Writes everything readable, piece by piece; without a file to the standard output.
    private func export(_ file: String?) throws -> Int32 {
        let export = HomeExport(home)
        if let file {
            write(JSONValue(encoding: try export.write(to: file)))
        } else {
            try export.write(terminal.write)
        }
        return 0
    }

    /// Writes a result in the requested form.
    func write(_ result: JSONValue) {
        terminal.write(options.isJSON ? result.jsonText() + "\n" : renderer.text(for: result))
    }

    /// Calls a function with a client of this home's node, and shuts the client down afterwards.
    func withClient<Value>(
        _ operation: (ControlClient) async throws -> Value
    ) async throws -> Value {
        let client = ControlClient(socketPath: try home.socketPath(), timeout: options.timeout)
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await operation(client))
        } catch {
            outcome = .failure(error)
        }
        try await client.shutdown()
        return try outcome.get()
    }
}
