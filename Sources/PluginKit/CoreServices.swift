/// The services of the core features for every plugin.
public protocol CoreServices: Sendable {
    /// Returns the fields of my profile that a card carries, without those I keep private.
    func myCard() async throws -> ProfileFields
    /// Returns the thumbnail of my photo, a JPEG of at most ``PhotoLimits/thumbnailBytesMax``; nil
    /// if I have none or keep it private.
    func myThumbnail() async throws -> [UInt8]?
    /// Returns the profile's fields that I keep private.
    func keptPrivate() async throws -> [OptionalField]
    /// Writes my edge to a person whose card I accepted. The two people are mates when both edges
    /// name the same meeting: 16 bytes that both sides know because they met.
    func proposeMate(_ person: PersonID, meeting: Bytes16, card: ProfileFields) async throws
    /// Ends a meeting that will not become a mateship: removes my edge if it names this meeting,
    /// and tells the other side when it is next in reach. A mateship of another meeting stays.
    func withdrawMate(_ person: PersonID, meeting: Bytes16) async throws
    /// Stores my fact of an agreement. It stands once the fact of the other person names it too,
    /// and opens the space of the two while it stands.
    func storeFact(
        _ fact: AgreementFact, of purpose: AgreementPurpose, with person: PersonID
    ) async throws
    /// Ends an agreement. Ending it again can only record that the other side knows.
    /// - Parameters:
    ///   - isCancel: whether this person ends an agreement that stands.
    ///   - isKnown: whether the other side need not be told.
    func endAgreement(
        _ id: Bytes16, of purpose: AgreementPurpose, with person: PersonID, isCancel: Bool,
        isKnown: Bool
    ) async throws
    /// Returns all agreements of a purpose of which my fact is stored, the newest first.
    func agreements(of purpose: AgreementPurpose) async throws -> [StoredAgreement]
    /// Returns the part of a card from outside that may be shown: fields cut to their limits, and
    /// none with a value that breaks its rule.
    func checkedCard(_ card: ProfileFields) async -> ProfileFields
    /// Returns how I am related to a person.
    func relation(to person: PersonID) async throws -> Relation
    /// Returns the names of the people I know; two people with one name both carry the end of
    /// their key.
    func names() async throws -> [PersonID: String]
    /// Returns the names of the people nearby, as far as they are known or announced: each by the
    /// digits of the linked device's key, or of the tag that a device announces.
    func namesNearby() async throws -> [String: String]
    /// Returns the mate that a command's parameter names, or any person by the whole key.
    /// - Throws: ``CommandFault/conflict(_:)`` if several mates' keys begin with these digits,
    ///   ``CommandFault/notFound(_:)`` if none does.
    func person(_ wanted: NameOrKey) async throws -> PersonID
    /// Returns the neighbourhoods that this person joined, in the order in which they were joined.
    func joinedNeighbourhoods() async throws -> [Neighbourhood]
    /// Puts an item into the inbox, where it stays until it is handled. It replaces the earlier
    /// item of the same kind and reference. One person may cause 32 items at once and then 12 an
    /// hour that are stored at once; others are shown at once and stored later.
    ///
    /// ```swift
    /// try await context.core.postToInbox(
    ///     InboxItem(
    ///         kind: "wave", reference: "wave-\(change.entity)", title: "A mate waves at you",
    ///         body: "Hello!", actions: [], from: change.author))
    /// ```
    func postToInbox(_ item: InboxItem) async throws
    /// Shows an item in the inbox until it is settled or handled, or the node ends. Nothing is
    /// written to the disk, so use this for items that strangers cause: they cannot fill the disk.
    /// It replaces the shown item of the same kind and reference.
    func showInInbox(_ item: InboxItem) async throws
    /// Returns the references of one kind that were ever put into the inbox or are shown in it, and
    /// whether each was handled.
    /// - Parameter wanted: the references to look up; nil for all.
    func inboxReferences(
        ofKind kind: InboxKind, among wanted: Set<String>?
    ) async throws -> [String: Bool]
    /// Marks the stored inbox item with this reference as handled, and removes the shown one.
    func settleInbox(reference: String) async throws
    /// Settles the items of one kind that are not true any more, and remembers those that are. An
    /// item that another device of mine posted is settled only if this device has found it true
    /// since it started: what the item is about may not have arrived here yet.
    ///
    /// Use ``settleInbox(reference:)`` for what this person did, and for facts that nothing
    /// undoes; use this for what merely follows from the present records.
    /// - Parameters:
    ///   - isTrue: the references whose items are true.
    ///   - isOver: the references whose items are not.
    func updateInbox(
        ofKind kind: InboxKind, isTrue: Set<String>, isOver: Set<String>
    ) async throws
}

extension CoreServices {
    /// Returns all references of one kind that were ever put into the inbox, and whether each was
    /// handled.
    public func inboxReferences(ofKind kind: InboxKind) async throws -> [String: Bool] {
        try await inboxReferences(ofKind: kind, among: nil)
    }
}

/// My relation to a person.
public enum Relation: String, Hashable, Sendable {
    /// The two are not related.
    case stranger
    /// My edge exists and theirs has not arrived yet.
    case waiting
    /// Both edges name one meeting.
    case mate
    /// I blocked them.
    case blocked
}

/// Something a person should see, now or when they come back.
public struct InboxItem: Hashable, Sendable {
    /// The plugin's name for this kind of item, as in `walk`.
    public let kind: InboxKind
    /// The id of the item's subject; there is one item per kind and reference.
    public let reference: String
    /// The first line.
    public let title: Sentence
    /// The text below the title; it may be empty.
    public let body: Sentence
    /// Verbs of the plugin's commands that answer it, as in `accept`.
    public let actions: [String]
    /// The person it comes from, if any. The item is not shown while I block them.
    public let person: PersonID?
    /// The matter of this posting, in at most 64 bytes, if the item can be posted again. It is
    /// posted once for each occasion, no matter how many devices of mine learn of it.
    public let occasion: String?

    /// Creates an item from its parts.
    public init(
        kind: InboxKind, reference: String, title: Sentence, body: Sentence, actions: [String],
        from person: PersonID? = nil, occasion: String? = nil
    ) {
        self.kind = kind
        self.reference = reference
        self.title = title
        self.body = body
        self.actions = actions
        self.person = person
        self.occasion = occasion
    }
}
