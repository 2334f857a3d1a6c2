public import Contract

/// The category of a post.
public enum PostCategory: String, Choice {
    /// A walk that was recorded.
    case walk
    /// A question to people of the neighbourhood.
    case question
    /// Something for sale.
    case secondHand = "second-hand"
    /// Somebody is looked for who cares for a dog.
    case sitter
    /// Something to give away.
    case free = "give-away"
}

/// The title of a post.
public typealias PostTitle = Text<1, 50>
/// The text of a post; it may be empty.
public typealias PostText = Lines<0, 1000>
/// The text of a comment.
public typealias CommentText = Lines<1, 300>

/// The exactness of the location that a post tells.
public enum PostPrecision: String, Choice {
    /// Moved to a grid of 100 m.
    case rounded
    /// As it was chosen.
    case exact
}

/// The order of a list of posts.
public enum PostOrder: String, Choice {
    /// The newest first.
    case newest
    /// The nearest first.
    case nearest
}
