import CommandLineKit
import ControlAPI
import Foundation
import Node
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
        table = CommandTable(
            node: CommandCatalogue.declarations, events: EventCatalogue.declarations)
    }

    /// - Returns: the exit code.
    func run() async -> Int32 {
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

    /// Writes errors to the error stream in either form, so that a program always reads a result
    /// from the standard output.
    private func report(_ fault: CommandFault) {
        let words = arguments.map { String(decoding: $0, as: UTF8.self) }
        let isJSON = CommandLineParser.wantsJSON(words)
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
