internal import PluginKit
internal import PostsAPI

/// A checked post before it is written.
///
/// ```swift
/// let draft = try PostDraft(
///     category: .question, title: "A vet on Sundays?", text: "",
///     location: gate, precision: .rounded)
/// draft.location  // at most 71 m from the gate
/// ```
struct PostDraft: Hashable, Sendable {
    let category: PostCategory
    /// The title, trimmed.
    let title: String
    /// The text, trimmed; perhaps empty.
    let text: String
    /// The location that others read, or nil if the post has none.
    let location: Point?

    /// Checks what a person wants to post.
    /// - Parameters:
    ///   - location: the chosen location; nil for none.
    ///   - precision: whether others read it as it is.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the first fault found, in the order title,
    ///   text.
    init(
        category: PostCategory, title: String, text: String, location: Point?,
        precision: PostPrecision
    ) throws(CommandFault) {
        self.category = category
        self.title = try PostLimits.title.check(title, field: "title")
        self.text = try PostLimits.text.check(text, field: "text")
        self.location =
            switch precision {
            case .rounded: location?.movedToGrid
            case .exact: location
            }
    }
}
