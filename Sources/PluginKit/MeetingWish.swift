/// A wish of a plugin, which this person has just expressed: to exchange cards with someone nearby
/// at once.
///
/// The plugin that declares ``Manifest/Service/meetings`` performs it. Cards are exchanged only if
/// the other person expresses the same wish within a few seconds.
///
/// ```swift
/// try await context.nearby.meet(
///     MeetingWish(person: NameOrKey(tag), common: "You both like tea.", topic: opener))
/// ```
public struct MeetingWish: Hashable, Sendable {
    /// The device, or the tag that it announces.
    public let person: NameOrKey
    /// A sentence that the card shows: what the two have in common.
    public let common: Sentence
    /// A question to begin a talk with, which the card shows.
    public let topic: Sentence?

    /// Creates a wish.
    public init(person: NameOrKey, common: Sentence, topic: Sentence? = nil) {
        self.person = person
        self.common = common
        self.topic = topic
    }
}
