import CommandLineKit
import ControlAPI
import ControlClient
import Identity
import Node
import NodeAPI
import PluginKit

/// Everything that a command needs: a home, the options, the environment, the terminal.
struct Session: Sendable {
    let home: Home
    let options: CommonOptions
    let environment: [String: String]
    let terminal: Terminal
    let table: CommandTable

    /// Returns a renderer of results of a shape for a person, with ages counted from now.
    func renderer(of schema: Schema) -> ResultRenderer {
        ResultRenderer(
            of: schema, now: SystemClock().wallTime, isColoured: terminal.isColoured,
            widthMax: terminal.width)
    }

    /// Sends a command to the running node.
    func ask(_ entry: CommandTable.Entry, _ arguments: Arguments) async throws -> Int32 {
        let declaration = entry.declaration
        guard declaration.route != PairingCommands.add.declaration.route else {
            return try await addDevice()
        }
        let arguments = try readingWords(for: declaration, arguments)
        guard !options.follows, !declaration.isEndless else {
            return try await follow(declaration, arguments, topics: table.topics(of: entry))
        }
        do {
            let answer = try await withClient { try await $0.perform(declaration, arguments) }
            write(answer, of: declaration.result)
            return 0
        } catch let fault as CommandFault {
            throw fault.asTyped(for: declaration)
        }
    }

    /// Reads recovery words that were given as "-": other programs can see what is typed in a
    /// command.
    private func readingWords(
        for declaration: CommandDeclaration, _ arguments: Arguments
    ) throws(CommandFault) -> Arguments {
        guard declaration.noun == "device", arguments["words"]?.string == "-" else {
            return arguments
        }
        let words = try RecoveryWords.typed(terminal.readWords()).words
        return arguments.setting("words", to: .string(words.joined(separator: " ")))
    }

    /// Performs a command of this process.
    func perform(_ declaration: CommandDeclaration, _ arguments: Arguments) async throws -> Int32 {
        switch LocalCommand(rawValue: declaration.noun) {
        case .initialise: return try initialise(arguments.request(as: Initialise.self))
        case .node: return try await runNode(arguments.request(as: RunNode.self))
        case .practice: return try await practise(arguments.request(as: Practise.self))
        case .doctor: return try await diagnose(arguments.request(as: Diagnose.self))
        case .watch: return try await watch(arguments.request(as: Watch.self).topics ?? [])
        case .backup:
            let request = try arguments.request(as: MakeBackup.self)
            write(try HomeBackup.write(home, to: request.file.string))
            return 0
        case .restore:
            let request = try arguments.request(as: RestoreHome.self)
            write(try HomeBackup.restore(request.file.string, into: home))
            return 0
        case .export: return try export(arguments.request(as: MakeExport.self).file?.string)
        case .completion:
            let request = try arguments.request(as: MakeCompletion.self)
            terminal.write(CompletionScript(table).text(for: request.shell))
            return 0
        case .manual:
            terminal.write(ManualPage(table).text)
            return 0
        case .help, nil:
            terminal.write(try HelpText(table).text(on: []))
            return 0
        }
    }

    /// Writes everything readable, piece by piece; without a file to the standard output.
    private func export(_ file: String?) throws -> Int32 {
        let export = HomeExport(home)
        if let file {
            write(try export.write(to: file))
        } else {
            try export.write(terminal.write)
        }
        return 0
    }

    /// Writes an answer in the requested form.
    func write<Answer: Codable>(_ answer: Answer) {
        write(JSONValue(encoding: answer), of: .of(Answer.self))
    }

    /// Writes an answer of a shape in the requested form.
    private func write(_ answer: JSONValue, of schema: Schema) {
        terminal.write(
            options.isJSON ? answer.jsonText() + "\n" : renderer(of: schema).text(for: answer))
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
