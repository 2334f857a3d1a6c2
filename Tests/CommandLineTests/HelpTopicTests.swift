import Contract
import Foundation
import Node
import Testing

@testable import CommandLineKit

struct HelpTopicTests {
    private let table = CommandTable(
        node: CommandCatalogue.declarations, events: EventCatalogue.declarations)

    @Test func `every example calls the command that declares it`() throws {
        let parser = CommandLineParser(table, now: Timestamp(milliseconds: 1_795_392_000_000))
        for entry in table.entries {
            for case .example(_, let command, _) in entry.declaration.topics {
                var words = try Self.words(command)
                #expect(words.removeFirst() == "waggle")
                guard case .run(entry, _) = try parser.parse(words).purpose else {
                    Issue.record("\(command) does not call \(entry.name)")
                    continue
                }
            }
        }
    }

    @Test func `help has no trace of a plugin that is not linked`() throws {
        let core = CommandCatalogue.declarations(of: Array(PluginCatalogue.all.prefix(1)))
        let help = HelpText(CommandTable(node: core))
        let coreNouns = Set(core.map(\.noun))
        let nouns = Set(CommandCatalogue.declarations.map(\.noun)).subtracting(coreNouns)
        #expect(!nouns.isEmpty)
        for topic in HelpTopicName.allCases {
            let text = try help.text(on: [topic.rawValue])
            #expect(text.contains("\nExamples:\n") == (topic != .times))
            for noun in nouns { #expect(!text.contains(noun), "\(topic) names \(noun)") }
        }
    }

    @Test func `a topic is shown with its examples, and the overview lists it`() throws {
        let help = HelpText(table)
        let overview = try help.text(on: [])
        for topic in HelpTopic.all(of: table, in: .english) {
            #expect(table.entries(of: topic.name).isEmpty, "\(topic.name) is a command too")
            #expect(overview.contains("  \(topic.name) "))
            let text = try help.text(on: [topic.name])
            #expect(topic.examples.allSatisfy { text.contains("  \($0.command)\n") })
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
        #expect(throws: CommandFault.self) { try help.text(on: ["times", "now"]) }
    }

    @Test func `no two commands have the same words`() {
        let names = table.nouns.flatMap { noun in table.allVerbs(of: noun).map { [noun, $0] } }
        #expect(Set(names).count == names.count)
        #expect(names.contains(["promise", "call-off"]))
    }

    @Test func `the manual page has every command, option and topic`() {
        let lines = Set(ManualPage(table).text.split(separator: "\n").map(String.init))
        for entry in table.entries {
            let heading = "waggle \(entry.name)".replacing("-", with: "\\-")
            #expect(lines.contains { $0.hasPrefix(".SS") && $0.contains(heading) }, "\(heading)")
        }
        for topic in HelpTopic.all(of: table, in: .english) {
            #expect(lines.contains(".SH \(topic.name.uppercased())"))
        }
        #expect(lines.contains { $0.contains("\\-\\-json") })
    }

    @Test func `nothing in the manual page is obeyed by the formatter`() {
        let command = CommandDeclaration(
            "odd", "show", .query, help: ".so /etc/passwd 'x' \\fB -y",
            parameters: [.optional("a", .text, "'.br")], result: .done)
        let text = ManualPage(CommandTable(node: [command], here: [])).text
        #expect(text.contains("\n\\&.so /etc/passwd \\(aqx\\(aq \\efB \\-y\n"))
        #expect(text.contains("\n\\(aq.br\n"))
    }

    /// Splits a line as a shell does, with single quotes.
    private static func words(_ line: String) throws -> [String] {
        var words: [String] = []
        for (place, piece) in line.components(separatedBy: "'").enumerated() {
            if place.isMultiple(of: 2) {
                words += piece.split(separator: " ").map(String.init)
            } else {
                words.append(piece)
            }
        }
        return words
    }
}
