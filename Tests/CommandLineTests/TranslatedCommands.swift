import Contract
import Node
import PluginKit

@testable import CommandLineKit

/// The commands, events and notices of the features that have a translation. That of a new plugin
/// comes later, so none of its texts has one yet; a feature with some has all of them.
struct TranslatedCommands {
    let commands: [CommandDeclaration]
    let events: [EventDeclaration]
    /// The help of the kinds of notices.
    let notices: [String]

    init(in language: Language) throws {
        let catalogue = try Catalogue(language)
        func isTranslated(_ help: String) -> Bool { catalogue.translates(Sentence(declared: help)) }
        let all = CommandCatalogue.declarations
        let nouns = Set(all.filter { isTranslated($0.help) }.map(\.noun))
        commands = all.filter { nouns.contains($0.noun) }
        events = EventCatalogue.declarations.filter { event in
            isTranslated(event.help) || nouns.contains(String(event.topic.prefix { $0 != "." }))
        }
        // A plugin without commands, which would have no noun, must be translated.
        notices = PluginCatalogue.all.filter { plugin in
            plugin.commands.isEmpty
                || plugin.commands.contains { nouns.contains($0.declaration.noun) }
        }.flatMap { $0.manifest.notices }.map(\.help)
    }

    /// The table of these commands.
    var table: CommandTable { CommandTable(node: commands, events: events) }
}
