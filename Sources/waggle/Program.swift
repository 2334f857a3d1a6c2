import CommandLineKit
import ControlAPI
import Foundation
import Node
import NodeAPI
import PluginKit

/// One run of the command line: parses the words, performs the command and reports its result.
struct Program: Sendable {
    let arguments: [[UInt8]]
    let environment: [String: String]
    let terminal: Terminal
    let table: CommandTable

    init(arguments: [[UInt8]]) {
        self.arguments = arguments
        environment = ProcessInfo.processInfo.environment
        terminal = Terminal(environment: environment)
        // Other users of the computer can read a command line, and so the words in it.
        let secret = [
            NodeCommands.beginRecovery.declaration.route, PairingCommands.join.declaration.route,
        ]
        table = CommandTable(
            node: CommandCatalogue.declarations.filter { !secret.contains($0.route) },
            events: EventCatalogue.declarations)
    }

    /// Whether results and errors are written as JSON, in English.
    private var isJSON: Bool {
        CommandLineParser.wantsJSON(arguments.map { String(decoding: $0, as: UTF8.self) })
    }

    /// - Returns: the exit code.
    func run() async -> Int32 {
        speak(to: try? Home.resolve(nil, environment: environment))
        do {
            let words = try CommandLineParser.words(arguments)
            let directory = FileManager.default.currentDirectoryPath
            let parser = CommandLineParser(
                table, directory: directory, now: SystemClock().wallTime)
            return try await perform(parser.parse(words))
        } catch {
            let fault = CommandFault(error)
            report(fault)
            return fault.exitCode
        }
    }

    /// Continues in the language of a home's settings, or else of the environment.
    private func speak(to home: Home?) {
        guard !isJSON else { return }
        let settings = home.flatMap { try? NodeSettings(home: $0) }
        Catalogue.current =
            settings?.catalogue ?? (try? Catalogue(Language(environment: environment))) ?? .english
    }

    /// Writes errors to the error stream in either form, so that a program always reads a result
    /// from the standard output.
    private func report(_ fault: CommandFault) {
        terminal.writeError(
            (isJSON ? fault.envelope.jsonText() : "waggle: \(fault.sentence)") + "\n")
    }

    private func perform(_ invocation: Invocation) async throws -> Int32 {
        switch invocation.purpose {
        case .version:
            terminal.write("waggle \(NodeVersion.current)\n")
        case .help(let topic):
            terminal.write(try HelpText(table).text(on: topic))
        case .run(let entry, let arguments):
            let home = try Home.resolve(invocation.options.home, environment: environment)
            speak(to: home)
            let session = Session(
                home: home, options: invocation.options, environment: environment,
                terminal: terminal, table: table)
            guard entry.place == .here else {
                return try await session.ask(entry, arguments)
            }
            return try await session.perform(entry.declaration, arguments)
        }
        return 0
    }
}
