internal import FeaturesAPI
internal import PluginKit

/// The words that this person muted: records of the own space, which no other person receives.
///
/// Texts are compared with them by ``MutedWords``, wherever a feature or a plugin shows them.
struct MutedWordStore: Feature {
    let context: PluginContext

    static let manifest = Manifest(
        id: CoreFeatures.id, version: 1, collections: [word],
        views: [
            Manifest.View(
                naming.view,
                "SELECT word FROM neighbours_muted_word WHERE word IS NOT NULL")
        ],
        events: [MutedWordEvents.changed.declaration])

    static let commands: [CommandHandler] = [
        CoreFeatures.handle(MutedWordCommands.list) { core, _ in
            try await core.mutedWords.list()
        },
        CoreFeatures.handle(MutedWordCommands.add) { core, request in
            try await core.mutedWords.add(request.word)
        },
        CoreFeatures.handle(MutedWordCommands.remove) { core, request in
            try await core.mutedWords.remove(request.word)
        },
    ]

    static let naming = MutedWordsNaming(
        collection: "neighbours.muted_word/1", view: "neighbours_muted_words")

    /// A muted word, in small letters and otherwise as it was typed. Two devices may mute one word
    /// at the same time, so a word may have several records.
    static let word = RecordCollection(
        naming.collection, table: "neighbours_muted_word", spaces: [.own], isErasable: true,
        fields: [.init(1, "word", .text(bytesMax: MutedWord.rule.bytesMax), merge: .append)])

    /// Answers `muted list`.
    func list() async throws -> MutedWordList {
        let forms = Dictionary(grouping: try await stored().map(\.word), by: MutedWords.folded)
        return MutedWordList(words: forms.values.compactMap { $0.min() }.sorted())
    }

    /// Performs `muted add`; muting a word again changes nothing.
    func add(_ typed: MutedWord) async throws -> MutedWordList {
        let forms = Set(try await stored().map { MutedWords.folded($0.word) })
        if !forms.contains(MutedWords.folded(typed.string)) {
            guard forms.count < MutedWordCommands.countMax else {
                throw CommandFault.refused(
                    "You have muted \(MutedWordCommands.countMax) words, the maximum; remove one "
                        + "first.")
            }
            try await context.author(
                [
                    .create(
                        collection: Self.word.name, nonce: context.random.nonce(),
                        fields: ["word": .text(typed.string.lowercased())])
                ], in: .own(context.me))
        }
        return try await list()
    }

    /// Performs `muted remove`.
    /// - Throws: ``CommandFault/notFound(_:)`` if the word is not muted.
    func remove(_ typed: MutedWord) async throws -> MutedWordList {
        let form = MutedWords.folded(typed.string)
        let found = try await stored().filter { MutedWords.folded($0.word) == form }
        guard !found.isEmpty else {
            throw CommandFault.notFound("You have not muted this word; see 'muted list'.")
        }
        // Each record is erased by a batch of its own.
        for (record, _) in found {
            do {
                try await context.author(
                    [.erase(collection: Self.word.name, entity: record)], in: .own(context.me))
            } catch EditFault.unknownEntity {
                // Another device of mine has erased it since it was read.
            }
        }
        return try await list()
    }

    private func stored() async throws -> [(record: EntityID, word: String)] {
        try await context.replica.rows("SELECT entity, word FROM neighbours_muted_word")
            .compactMap { row in
                guard let record = row.entity("entity"), let word = row.text("word") else {
                    return nil
                }
                return (record, word)
            }
    }

    /// Returns the event that makes followers list the words again.
    func events(after changes: [RecordChange]) async throws -> [EventMessage] {
        [EventMessage(MutedWordEvents.changed, MutedWordChange())]
    }
}
