internal import FeaturesAPI
internal import PluginKit

/// Mates who came back on a new device by their recovery words, in the inbox and on the desktop.
/// Someone who stole the words could do the same, so both offer to block.
struct ReturningMates: Sendable {
    let context: PluginContext

    /// The kind of the items. The reference is the person's key, which `mates block` expects, so
    /// there is one item for each mate.
    static let inboxKind: InboxKind = "mates"

    /// Tells me that a person has a new device, if they are a mate.
    func tell(of person: PersonID) async throws {
        guard try await context.core.relation(to: person) == .mate else { return }
        let name =
            try await context.core.names()[person].map(Sentence.init(verbatim:))
            ?? "A mate without a name"
        let item = InboxItem(
            kind: Self.inboxKind, reference: person.description,
            title: "\(name) has a new device",
            body: """
                Their recovery words brought them back. Someone who stole the words could do the \
                same: if it was not them, block the person.
                """,
            actions: ["block"], from: person)
        try await context.tell(
            item,
            actions: [
                DesktopNotice.Action(
                    "Block", MateCommands.block,
                    BlockPerson(person: NameOrKey(Key(person)), reason: .other))
            ])
    }
}
