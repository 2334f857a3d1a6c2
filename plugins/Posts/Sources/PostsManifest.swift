internal import PostsAPI
public import PluginKit

extension Posts {
    /// The declarations of the plugin, which are also its permissions.
    public static let manifest = Manifest(
        id: "posts", version: 1,
        collections: [
            post, photo, comment, like, view, draft, hidden, seen, settings, takenBack,
            Correspondences.declined,
        ],
        directTopics: [Correspondences.topic], events: [PostEvents.changed.declaration],
        notices: [
            .init(inboxKind, help: "Comments on your posts."),
            .init(
                Correspondences.inboxKind,
                help: "People who would like to write to you about your posts."),
        ],
        services: [
            .neighbourhoods, .mates, .inbox, .location, .correspondence, .statements,
        ])

    /// The kind of the inbox items and notices.
    static let inboxKind: InboxKind = "posts"

    // MARK: In neighbourhoods

    /// A post. An edit writes all of it anew, which also renews it. Everyone reads the author's
    /// nickname here, since nobody there has a card of the author.
    static let post = RecordCollection(
        "posts.post/1", table: "posts_post", spaces: [.open],
        indexes: [[], ["space"], ["category"], ["space", "category"], ["creator"]].map {
            $0 + timeColumns
        },
        isErasable: true, dailyRecordsMax: PostCommands.dailyPostsMax,
        searched: ["title", "text"],
        located: .init(latitude: "latitude", longitude: "longitude"),
        fields: [
            .init(1, "category", .text(bytesMax: 16)),
            .init(2, "title", .text(bytesMax: PostLimits.title.bytesMax)),
            .init(3, "text", .text(bytesMax: PostLimits.text.bytesMax)),
            .init(4, "name", .text(bytesMax: TextRule.nickname.bytesMax)),
            .init(5, "latitude", .real),
            .init(6, "longitude", .real),
            .init(7, "at_ms", .integer(0...Timestamp.millisecondsMax)),
            .init(8, "changed_ms", .integer(0...Timestamp.millisecondsMax)),
            .init(9, "walk_metres", .real),
            .init(10, "walk_seconds", .integer(0...PostLimits.walkSecondsMax)),
        ])

    /// The columns with which each index of posts ends. It has the location too, so that lists of
    /// an area need not read posts elsewhere.
    private static let timeColumns = ["stamp", "entity", "latitude", "longitude"]

    /// A photo of a post, which the author of the post added. The thumbnail travels with the
    /// record, and the whole photo is sought when somebody looks at it.
    static let photo = RecordCollection(
        "posts.photo/1", table: "posts_photo", spaces: [.open],
        indexes: [["space", "post", "place"]], isErasable: true,
        dailyRecordsMax: PostCommands.dailyPostsMax * PostCommands.photosCountMax,
        fields: [
            postField,
            .init(2, "place", .integer(0...PostLimits.photoPlaceMax)),
            .init(
                3, "photo",
                .blob(kinds: [EncodedPhoto.kind], bytesMax: PhotoLimits.chatBytesMax)),
            .init(
                4, "thumbnail",
                .blob(kinds: [EncodedPhoto.kind], bytesMax: PhotoLimits.thumbnailBytesMax),
                fetched: .withRecord),
            .init(5, "width", .integer(PostLimits.photoSides)),
            .init(6, "height", .integer(PostLimits.photoSides)),
        ])

    /// A comment on a post.
    static let comment = RecordCollection(
        "posts.comment/1", table: "posts_comment", spaces: [.open],
        indexes: [["space", "post", "stamp", "entity"], ["creator", "stamp"]],
        isErasable: true, dailyRecordsMax: PostCommands.dailyCommentsMax,
        fields: [
            postField,
            .init(2, "text", .text(bytesMax: PostLimits.comment.bytesMax)),
            .init(3, "name", .text(bytesMax: TextRule.nickname.bytesMax)),
        ])

    /// A person likes a post while a record of theirs says so; several count once.
    static let like = RecordCollection(
        "posts.like/1", table: "posts_like", spaces: [.open],
        indexes: [["space", "post", "creator"]], isErasable: true,
        dailyRecordsMax: PostLimits.dailyMarksMax, fields: [postField])

    /// A person who chose to be counted viewed a post; several records of one person count once.
    static let view = RecordCollection(
        "posts.view/1", table: "posts_view", spaces: [.open],
        indexes: [["space", "post", "creator"]], isErasable: true,
        dailyRecordsMax: PostLimits.dailyMarksMax, fields: [postField])

    /// The post to which a record belongs. It may be here or not, and of anybody.
    private static let postField = RecordCollection.Field(
        1, "post", .bytes(countMax: Bytes16.bytesCount))

    // MARK: On my own devices

    /// A draft.
    static let draft = RecordCollection(
        "posts.draft/1", table: "posts_draft", spaces: [.own], isErasable: true,
        fields: [
            .init(1, "neighbourhood", .bytes(countMax: Bytes32.bytesCount)),
            .init(2, "category", .text(bytesMax: 16)),
            .init(3, "title", .text(bytesMax: PostLimits.title.bytesMax)),
            .init(4, "text", .text(bytesMax: PostLimits.text.bytesMax)),
            .init(5, "latitude", .real),
            .init(6, "longitude", .real),
            .init(7, "is_exact", .boolean),
            .init(8, "at_ms", .integer(0...Timestamp.millisecondsMax)),
        ])

    /// A post that is hidden from my lists, perhaps with the reason for which I reported it.
    static let hidden = RecordCollection(
        "posts.hidden/1", table: "posts_hidden", spaces: [.own], indexes: [["post"]],
        isErasable: true,
        fields: [
            .init(1, "post", .bytes(countMax: Bytes16.bytesCount), merge: .append),
            .init(2, "at_ms", .integer(0...Timestamp.millisecondsMax), merge: .append),
            .init(3, "reason", .text(bytesMax: 16), merge: .append),
            .init(4, "text", .text(bytesMax: ReportText.rule.bytesMax), merge: .append),
        ])

    /// The comments on a post of mine that I have seen: the last ones by their ids, one after the
    /// other, and all others up to a stamp.
    static let seen = RecordCollection(
        "posts.seen/1", table: "posts_seen", spaces: [.own], indexes: [["post"]],
        isErasable: true,
        fields: [
            .init(1, "post", .bytes(countMax: Bytes16.bytesCount), merge: .append),
            .init(2, "until", .integer(0...Int64.max)),
            .init(3, "comments", .bytes(countMax: PostLimits.seenCountMax * Bytes16.bytesCount)),
        ])

    /// The stamp up to which I took my likes of a post back, for likes that another device of mine
    /// wrote before.
    static let takenBack = RecordCollection(
        "posts.taken_back/1", table: "posts_taken_back", spaces: [.own], indexes: [["post"]],
        isErasable: true,
        fields: [
            .init(1, "post", .bytes(countMax: Bytes16.bytesCount), merge: .append),
            .init(2, "until", .integer(0...Int64.max), merge: .append),
        ])

    /// My settings: one record.
    static let settings = RecordCollection(
        "posts.settings/1", table: "posts_settings", spaces: [.own], isOnePerPerson: true,
        fields: [.init(1, "views", .boolean, writer: .owner)])
}
