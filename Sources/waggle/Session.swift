import ControlAPI
import ControlClient
import Node
import PluginKit

/// What a command needs to be done: a home, the options, the environment, the terminal.
struct Session: Sendable {
    let home: Home
    let options: CommonOptions
    let environment: [String: String]
    let terminal: Terminal
    let table: CommandTable

    /// How results are written for a person, with ages as of now.
    var renderer: ResultRenderer {
        ResultRenderer(
            nowMilliseconds: SystemClock().wallMilliseconds, isColoured: terminal.isColoured)
    }

    /// Asks the running node.
    func ask(_ declaration: CommandDeclaration, _ arguments: Arguments) async throws -> Int32 {
        guard declaration.follows.isEmpty else { return try await follow(declaration, arguments) }
        do {
            write(try await withClient { try await $0.perform(declaration, arguments) })
            return 0
        } catch let fault as CommandFault {
            throw fault.asTyped(for: declaration)
        }
    }

    /// Does a command of this process.
    func perform(_ declaration: CommandDeclaration, _ arguments: Arguments) async throws -> Int32 {
        switch LocalCommand(rawValue: declaration.noun) {
        case .initialise: return try createIdentity()
        case .node: return try await runNode(arguments)
        case .doctor: return try await diagnose(arguments)
        case .watch: return try await watch(arguments.texts("topics") ?? [])
        case .backup:
            write(try HomeBackup.write(home, to: try arguments.text("file")))
            return 0
        case .restore:
            write(try HomeBackup.restore(try arguments.text("file"), into: home))
            return 0
        case .export: return try export(arguments["file"]?.string)
        case .completion:
            guard let shell = Shell(rawValue: try arguments.text("shell")) else { return 2 }
            terminal.write(CompletionScript(table).text(for: shell))
            return 0
        case .help, nil:
            terminal.write(try HelpText(table).text(on: []))
            return 0
        }
    }

    /// Writes everything readable, piece by piece; with no file to the standard output.
    private func export(_ file: String?) throws -> Int32 {
        let export = HomeExport(home)
        if let file {
            write(try export.write(to: file))
        } else {
            try export.write(terminal.write)
        }
        return 0
    }

    /// Writes a result in the form that was asked for.
    func write(_ result: JSONValue) {
        terminal.write(options.isJSON ? result.jsonText() + "\n" : renderer.text(for: result))
    }

    /// Lends a client of this home's node, and shuts it down afterwards.
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
