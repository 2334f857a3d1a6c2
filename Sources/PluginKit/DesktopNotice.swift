/// Something that the person's desktop shows while an item of the inbox is open.
///
/// A plugin first posts the item, then the notice of the same kind and reference. The node shows
/// the notice as the person's settings permit: never, later, without the text or without the
/// names. It removes the notice when the item is handled anywhere, so a plugin only settles the
/// item. Without a desktop nothing is shown and the item stays.
///
/// ```swift
/// try await context.core.postToInbox(item)
/// try await context.desktop.notify(
///     DesktopNotice(
///         about: item.subject, from: change.author, title: "Mina waves at you", body: "Hello!",
///         withoutText: "Mina waves at you"))
/// ```
public struct DesktopNotice: Hashable, Sendable {
    /// The item of the inbox; there is one notice for each.
    public let subject: InboxSubject
    /// The person who caused it, if any. One person can cause only a few notices a minute.
    public let person: PersonID?
    /// The first line.
    public let title: Sentence
    /// The text below; it may be empty.
    public let body: Sentence
    /// The first line if only names may be shown: the people, and none of what they wrote.
    public let withoutText: Sentence
    /// The buttons. Pressing the notice itself opens the page of its subject.
    public let actions: [Action]

    /// Creates a notice from its parts.
    public init(
        about subject: InboxSubject, from person: PersonID? = nil, title: Sentence, body: Sentence,
        withoutText: Sentence, actions: [Action] = []
    ) {
        self.subject = subject
        self.person = person
        self.title = title
        self.body = body
        self.withoutText = withoutText
        self.actions = actions
    }

    /// A button that performs one of the plugin's own commands.
    public struct Action: Hashable, Sendable {
        /// The word on the button.
        public let label: Sentence
        /// The command.
        public let command: CommandDeclaration
        /// Its parameters.
        public let arguments: Arguments

        /// Creates a button for a command with its request:
        ///
        ///     .init("Accept", WalkCommands.accept, WalkReference(id: RecordPrefix(walk)))
        public init<Request, Answer>(
            _ label: Sentence, _ command: Command<Request, Answer>, _ request: Request
        ) {
            self.label = label
            self.command = command.declaration
            arguments = Arguments(request)
        }
    }
}

extension InboxItem {
    /// The item's name.
    public var subject: InboxSubject { InboxSubject(kind, reference) }
}

/// The notices of the desktop that this node runs on.
public protocol DesktopAccess: Sendable {
    /// Shows a notice about an open item of the inbox, in place of the one about the same item.
    /// It is shown a moment later, unless the item is handled before.
    /// - Throws: ``CommandFault/refused(_:)`` if the manifest does not declare its kind, or if an
    ///   action is a command of another plugin.
    func notify(_ notice: DesktopNotice) async throws
}
