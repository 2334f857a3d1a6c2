import Contract
import Node
import PluginKit
import Testing

@testable import CommandLineKit

/// The texts that contracts declare as plain strings. No program finds them in the sources, so the
/// entries of `contract.po` are checked here.
@Suite struct DeclaredTextsTests {
    private let translated: TranslatedCommands
    private let table: CommandTable

    init() throws {
        translated = try TranslatedCommands(in: .ko)
        table = translated.table
    }

    @Test func `every help text has a Korean translation`() throws {
        let declarations = table.entries.map(\.declaration)
        var texts = declarations.map(\.help) + translated.events.map(\.help)
        texts += (declarations.flatMap(\.parameters) + CommonOptions.parameters).map(\.help)
        texts += declarations.flatMap(\.topics).map { part in
            switch part {
            case .text(_, let text): text
            case .example(_, _, let effect): effect
            }
        }
        texts += translated.notices
        let missing = try untranslated(texts)
        #expect(missing == [])
    }

    @Test func `every heading of a table has a Korean translation`() throws {
        let names = table.entries.flatMap { Self.names(in: $0.declaration.result) }
        let missing = try untranslated(names.map(ValueText.words))
        #expect(missing == [])
    }

    @Test func `every word of a choice has a Korean translation`() throws {
        let words = table.entries.flatMap { Self.choices(in: $0.declaration.result) }
        let missing = try untranslated(words)
        #expect(missing == [])
    }

    private func untranslated(_ texts: [String]) throws -> [String] {
        let catalogue = try Catalogue(.ko)
        return Set(texts).filter { !catalogue.translates(Sentence(declared: $0)) }.sorted()
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
