import Contract
import Foundation
import Node
import PluginKit
import Testing

@testable import CommandLineKit

/// The texts that contracts declare as plain strings. No program finds them in the sources, so the
/// entries of `contract.po` and of the plugins' own catalogues are checked here.
@Suite struct DeclaredTextsTests {
    /// The program itself or a plugin: its declarations, and its catalogue.
    private struct Part {
        let commands: [CommandDeclaration]
        let events: [EventDeclaration]
        let notices: [String]
        let catalogue: Catalogue
    }

    private let parts: [Part]

    init() throws {
        let node = Part(
            commands: CommandCatalogue.declarations(of: []),
            events: EventCatalogue.declarations(of: []), notices: [],
            catalogue: try Self.catalogue(ofPlugin: nil))
        parts =
            try [node]
            + PluginCatalogue.all.map { plugin in
                Part(
                    commands: plugin.commands.map(\.declaration), events: plugin.manifest.events,
                    notices: plugin.manifest.notices.map(\.help),
                    catalogue: try Self.catalogue(ofPlugin: String(describing: plugin)))
            }
    }

    @Test func `every help text has a Korean translation, in the catalogue of its plugin`() {
        let missing = untranslated { part in
            let parameters = part.commands.flatMap(\.parameters) + CommonOptions.parameters
            let examples = part.commands.flatMap(\.topics).map { example in
                switch example {
                case .text(_, let text): text
                case .example(_, _, let effect): effect
                }
            }
            return part.commands.map(\.help) + part.events.map(\.help) + part.notices
                + parameters.map(\.help) + examples
        }
        #expect(missing == [])
    }

    @Test func `every heading of a table has a Korean translation, in that of its plugin`() {
        let missing = untranslated { part in
            part.commands.flatMap { Self.names(in: $0.result) }.map(ValueText.words)
        }
        #expect(missing == [])
    }

    @Test func `every word of a choice has a Korean translation, in that of its plugin`() {
        let missing = untranslated { part in
            part.commands.flatMap { Self.choices(in: $0.result) }
        }
        #expect(missing == [])
    }

    private func untranslated(_ texts: (Part) -> [String]) -> [String] {
        parts.flatMap { part in
            Set(texts(part)).filter { !part.catalogue.translates(Sentence(declared: $0)) }
        }.sorted()
    }

    /// The shared texts, and those in the folder of a plugin if it has one.
    private static func catalogue(ofPlugin plugin: String?) throws -> Catalogue {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        var files = ["window", "node", "contract"].map {
            root.appending(path: "Sources/Localization/Resources/ko/\($0).po")
        }
        if let own = plugin.map({ root.appending(path: "plugins/\($0)/Localization/ko.po") }),
            FileManager.default.fileExists(atPath: own.path)
        {
            files.append(own)
        }
        return try Catalogue(language: .ko, files: files.map { Array(try Data(contentsOf: $0)) })
    }

    private static func names(in schema: Schema) -> [String] {
        switch schema {
        case .any, .boolean, .integer, .number, .text: []
        case .list(let element, _): names(in: element)
        case .map(let value): names(in: value)
        case .object(let members, _):
            // The sentence beside a text has no heading.
            members.filter { member in
                !members.contains { Sentence.member(beside: $0.name) == member.name }
            }.flatMap { [$0.name] + names(in: $0.schema) }
        }
    }

    private static func choices(in schema: Schema) -> [String] {
        switch schema {
        case .any, .boolean, .integer, .number: []
        case .text(.choice(let words)): words
        case .text: []
        case .list(let element, _): choices(in: element)
        case .map(let value): choices(in: value)
        case .object(let members, _): members.flatMap { choices(in: $0.schema) }
        }
    }
}
