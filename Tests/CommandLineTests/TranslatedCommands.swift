import Contract
import Node

@testable import CommandLineKit

/// The commands and events of the features that have a translation. That of a new plugin comes
/// later, so none of its texts has one yet; a feature with some has all of them.
struct TranslatedCommands {
    let commands: [CommandDeclaration]
    let events: [EventDeclaration]

    init(in language: Language) throws {
        let catalogue = try Catalogue(language)
        func isTranslated(_ help: String) -> Bool { catalogue.translates(Sentence(declared: help)) }
        let all = CommandCatalogue.declarations
        let nouns = Set(all.filter { isTranslated($0.help) }.map(\.noun))
        commands = all.filter { nouns.contains($0.noun) }
        events = EventCatalogue.declarations.filter { event in
            isTranslated(event.help) || nouns.contains(String(event.topic.prefix { $0 != "." }))
        }
    }

    /// The table of these commands.
    var table: CommandTable { CommandTable(node: commands, events: events) }
}
