import Contract
import PanelKit
import PostsAPI

/// Posts in words. Texts of others pass their rules here once more before they are shown.
enum PostWords {
    /// The rule for a name in an answer, which ends with digits of a key unless it is a mate's that
    /// no other mate has.
    private static let nameRule = TextRule(characters: 1...29)

    /// Returns the name of a category.
    static func name(_ category: PostCategory) -> String {
        switch category {
        case .walk: localized("Walk")
        case .question: localized("Question")
        case .secondHand: localized("Second-hand")
        case .sitter: localized("Dog sitter")
        case .free: localized("To give away")
        }
    }

    /// Returns the name of a reason for a report.
    static func name(_ reason: PostReportReason) -> String {
        switch reason {
        case .spam: localized("Advertising")
        case .unpleasant: localized("Unpleasant")
        case .dangerous: localized("Dangerous")
        case .other: localized("Another reason")
        }
    }

    /// Returns the name of an author, or words for one without a name.
    static func author(_ name: PersonName?, _ suffix: KeySuffix, isMine: Bool) -> String {
        if isMine { return localized("You") }
        return name.flatMap { nameRule.clip($0.string) }
            ?? localized("Someone without a name (\(suffix.string))")
    }

    /// Returns a title on one line.
    static func title(_ title: PostTitle.Shown) -> String {
        PostTitle.rule.clip(title.string) ?? localized("(without a title)")
    }

    /// Returns a text with at most one empty line between two others.
    static func text(_ text: PostText.Shown) -> String {
        withoutGaps(PostText.rule.clip(text.string) ?? "")
    }

    /// Returns the text of a comment in the same manner.
    static func comment(_ text: CommentText.Shown) -> String {
        CommentText.rule.clip(text.string).map(withoutGaps)
            ?? localized("(nothing that can be shown)")
    }

    private static func withoutGaps(_ text: String) -> String {
        var lines: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let isEmpty = line.allSatisfy(\.isWhitespace)
            if isEmpty, lines.last?.isEmpty ?? true { continue }
            lines.append(isEmpty ? "" : line)
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the category, the author and the time of a post.
    static func line(of post: Post, now: Timestamp) -> String {
        [
            name(post.category), author(post.name, post.suffix, isMine: post.mine),
            post.atMs.dayAndTime(now: now),
        ].joined(separator: " · ")
    }

    /// Returns the distance of a post from the user; nil if one of the two has no location.
    static func distance(of post: Post, from location: Coordinate?) -> String? {
        guard let location, let there = post.location?.coordinate else { return nil }
        return ShownDistance.text(metres: location.distanceMetres(to: there))
    }

    /// Returns the word that marks a mate's post or comment; nil for others. It is shown apart from
    /// the author's name, because a name may have any words.
    static func mark(isMate: Bool) -> String? { isMate ? localized("Mate") : nil }

    /// Returns the numbers of likes, comments and views that are not zero.
    static func counts(of post: Post) -> String {
        let (likes, comments, views) = (post.likes.value, post.comments.value, post.views.value)
        let parts = [
            post.popular ? localized("Popular") : nil,
            likes == 0
                ? nil
                : localized(
                    Sentence(count: likes, one: "1 like", other: "\(counted(likes)) likes")),
            comments == 0
                ? nil
                : localized(
                    Sentence(
                        count: comments, one: "1 comment",
                        other: "\(counted(comments)) comments")),
            views == 0
                ? nil
                : localized(
                    Sentence(count: views, one: "1 view", other: "\(counted(views)) views")),
        ]
        return parts.compactMap { $0 }.joined(separator: " · ")
    }

    /// Returns a number as it is shown. The node counts no further than
    /// ``PostCommands/countedMax``, so that number may be more.
    static func counted(_ number: Int) -> String {
        number < PostCommands.countedMax ? "\(number)" : "\(PostCommands.countedMax)+"
    }

    /// Returns the length and the time of a walk.
    static func walk(_ walk: PostWalk) -> String {
        let minutes = walk.elapsedSeconds.value / 60
        return [
            ShownDistance.text(metres: walk.distanceMetres.value),
            localized(Sentence(count: minutes, one: "1 minute", other: "\(minutes) minutes")),
        ].joined(separator: " · ")
    }

    /// Returns the name of a photo of a post.
    static func photo(_ number: Int, of count: Int) -> String {
        localized("Photo \(number) of \(count)")
    }
}

extension PostLocation {
    /// The location on the map.
    var coordinate: Coordinate { Coordinate(latitude, longitude) }
}
