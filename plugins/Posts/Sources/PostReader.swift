internal import PluginKit
internal import PostsAPI

/// The data that every post in an answer needs: the neighbourhoods, names, mates and muted words.
struct PostReader: Sendable {
    /// The joined neighbourhoods, in the order in which they were joined.
    let joined: [Neighbourhood]
    /// The same neighbourhoods, by the number of their space in this replica.
    let spaces: [Int64: Neighbourhood]
    let me: PersonID
    let now: Timestamp
    let names: [PersonID: String]
    let mates: Set<PersonID>
    let muted: MutedWords

    /// The neighbourhoods as answers have them.
    var neighbourhoods: [PostNeighbourhood] {
        joined.map { PostNeighbourhood(id: Key($0.space.id), title: $0.name) }
    }

    /// The first stamp of today, by UTC.
    var firstStampOfDay: Int64 {
        let day = Duration.seconds(86_400).milliseconds
        return (now.milliseconds / day * day) << 16
    }

    /// Returns the number of a neighbourhood's space in this replica.
    /// - Throws: ``CommandFault/refused(_:)`` if the space is not here yet: a node opens it a
    ///   moment after the neighbourhood was joined.
    func number(of space: SpaceDescriptor) throws(CommandFault) -> Int64 {
        guard let number = spaces.first(where: { $0.value.space == space })?.key else {
            throw .refused("This neighbourhood is still being opened; try again in a moment.")
        }
        return number
    }

    /// Whether a post is left out of lists. One's own posts are always in one's lists.
    func hides(_ post: StoredPost) -> Bool {
        post.isHidden || post.author != me && (post.isBlocked || post.isMuted(by: muted))
    }

    /// Whether a comment is left out.
    func hides(_ comment: StoredComment) -> Bool {
        comment.author != me && (comment.isBlocked || comment.isMuted(by: muted))
    }

    /// Returns the name to show of an author: that of a known person, or the nickname which they
    /// gave with digits of their key, unless it contains a muted word.
    func name(of author: PersonID, given: String?) -> String? {
        names[author] ?? given.flatMap(muted.shown).map(author.called)
    }

    /// Returns a post as answers have it; nil if its neighbourhood was left meanwhile.
    /// - Parameter isWhole: whether the whole text is shown, or the beginning that a list has.
    func answer(
        _ post: StoredPost, _ details: PostDetails, isWhole: Bool
    ) -> Post? {
        guard let neighbourhood = spaces[post.space] else { return nil }
        let text = isWhole ? post.text : String(post.text.prefix(Post.listedCharactersMax))
        return Post(
            id: RecordKey(post.id), space: Key(neighbourhood.space.id),
            neighbourhood: neighbourhood.name, author: Key(post.author),
            name: name(of: post.author, given: post.name), isMine: post.author == me,
            isMate: mates.contains(post.author), category: post.category, title: post.title,
            text: text, isShortened: text.utf8.count < post.text.utf8.count,
            location: post.location.map(PostLocation.init), distanceMetres: post.metres,
            atMs: post.at, changedMs: post.changed > post.at ? post.changed : nil,
            expiresMs: post.expires(now: now), likes: details.counts.likes,
            comments: details.counts.comments, views: details.counts.views,
            isPopular: details.counts.isPopular, isLiked: details.counts.isLiked,
            photos: details.photos, walk: post.walk)
    }

    /// Returns a comment as answers have it.
    func answer(_ comment: StoredComment, on post: StoredPost) -> PostComment {
        PostComment(
            id: RecordKey(comment.id), author: Key(comment.author),
            name: name(of: comment.author, given: comment.name), isMine: comment.author == me,
            isMate: mates.contains(comment.author), isByAuthor: comment.author == post.author,
            text: comment.text, atMs: Timestamp(stamp: comment.stamp))
    }
}

/// The counts and the photos of a post.
struct PostDetails: Hashable, Sendable {
    var counts = PostCounts()
    var photos: [PostPhoto] = []
}

extension Posts {
    /// A sentence for a person who joined no neighbourhood.
    static let notJoined: Sentence =
        "You have not joined a neighbourhood. Join yours by its name: "
        + "'waggle neighbourhood join NAME'."

    /// Reads the data for the posts of an answer.
    func reader() async throws -> PostReader {
        let joined = try await context.neighbourhoods.joined()
        let byID = Dictionary(
            joined.map { ($0.space.id, $0) }, uniquingKeysWith: { first, _ in first })
        var spaces: [Int64: Neighbourhood] = [:]
        let rows = try await context.replica.rows(
            "SELECT space, descriptor FROM waggle_space WHERE kind = 'open'")
        for row in rows {
            guard let number = row.integer("space"), let space = row.descriptor("descriptor")
            else { continue }
            spaces[number] = byID[space.id]
        }
        var names = try await context.core.names()
        names[context.me] = try await context.core.myCard().nickname
        return PostReader(
            joined: joined, spaces: spaces, me: context.me, now: context.clock.wallTime,
            names: names, mates: try await context.replica.people(in: SharedViews.mates),
            muted: try await context.replica.mutedWords())
    }

    /// Answers `posts today`, without neighbourhoods that are still being opened.
    func today() async throws -> PostDay {
        let reader = try await reader()
        let opened = Set(reader.spaces.values.map(\.space))
        var day = PostDay(neighbourhoods: [])
        for place in reader.joined where opened.contains(place.space) {
            let written = try await ownCount(in: "posts_post", today: place.space, reader)
            let bytes = try await thumbnailBytes(today: place.space, reader)
            let left = max(0, Limits.smallContentDayBytesMax - bytes)
            let bytesLeft = try await context.neighbourhoods.bytesLeftToday(in: place.space)
            day.neighbourhoods.append(
                PostDay.Neighbourhood(
                    id: Key(place.space.id), name: place.name,
                    postsLeft: max(
                        0,
                        min(
                            PostCommands.dailyPostsMax - written,
                            bytesLeft / PostLimits.shortPostBytes)),
                    bytesLeft: bytesLeft, photosLeft: left / Limits.smallContentBytesMax))
        }
        return day
    }

    /// Returns the number of the space that a request names; nil if it names none.
    /// - Throws: ``CommandFault``, so that a name which cannot be used never lists everything.
    func space(_ wanted: NameOrKey?, _ reader: PostReader) throws -> Int64? {
        guard let wanted else { return nil }
        return try reader.number(of: try neighbourhood(wanted, reader).space)
    }

    /// Returns the neighbourhood that a request names.
    func neighbourhood(_ wanted: NameOrKey, _ reader: PostReader) throws -> Neighbourhood {
        let names = Dictionary(
            reader.joined.map { ($0.space.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let id = try wanted.resolve(
            among: names.keys, named: { names[$0] }, what: "neighbourhood",
            listedBy: "neighbourhood list")
        guard let found = reader.joined.first(where: { $0.space.id == id }) else {
            throw CommandFault.refused(Self.notJoined)
        }
        return found
    }

    /// Reads the counts and the photos of posts.
    func details(of posts: [StoredPost]) async throws -> [EntityID: PostDetails] {
        guard !posts.isEmpty else { return [:] }
        var details: [EntityID: PostDetails] = [:]
        let asked = posts.map { _ in "(?, ?)" }.joined(separator: ", ")
        for (post, counts) in try await counts(of: posts) {
            details[post, default: PostDetails()].counts = counts
        }
        let photos = try await context.replica.rows(
            "WITH asked (space, entity) AS (VALUES \(asked)) \(Self.photosSQL)",
            posts.flatMap { [.integer($0.space), .bytes($0.id.bytes)] })
        for photo in photos.compactMap(StoredPhoto.init) {
            details[photo.post, default: PostDetails()].photos.append(photo.answer)
        }
        return details
    }

    /// The categories that a post may have.
    private static let categoriesSQL = PostCategory.allCases.map { "'\($0.rawValue)'" }
        .joined(separator: ", ")

    /// Finds the post that a command names, also if it is hidden.
    /// - Throws: ``CommandFault/notFound(_:)`` or ``CommandFault/conflict(_:)``.
    func find(_ wanted: RecordPrefix, _ reader: PostReader) async throws -> StoredPost {
        try wanted.onlyMatch(
            in: try await posts(in: wanted.entities, reader), of: "post", listedBy: "posts list")
    }

    /// Returns the first posts in a range of ids. Records that are no posts are skipped, so
    /// nobody can make the short id of another post ambiguous with them.
    func posts(
        in ids: ClosedRange<EntityID>, _ reader: PostReader
    ) async throws -> [StoredPost] {
        try await context.replica.rows(
            """
            SELECT \(PostQuery.columns) FROM waggle_space s
            CROSS JOIN posts_post p ON p.space = s.space AND p.entity BETWEEN ?1 AND ?2
            WHERE s.kind = 'open' AND p.title <> '' AND p.category IN (\(Self.categoriesSQL))
            LIMIT \(PostLimits.matchesCountMax)
            """, [.bytes(ids.lowerBound.bytes), .bytes(ids.upperBound.bytes)]
        ).compactMap(StoredPost.init).filter { reader.spaces[$0.space] != nil }
    }

    /// Finds the post of mine that a command names.
    /// - Throws: ``CommandFault/refused(_:)`` too, if somebody else wrote it.
    func findOwn(_ wanted: RecordPrefix, _ reader: PostReader) async throws -> StoredPost {
        let post = try await find(wanted, reader)
        guard post.author == context.me else {
            throw CommandFault.refused(
                "Only its author can change or delete a post. You can hide it from your lists: "
                    + "'waggle posts hide \(wanted.string)'.")
        }
        return post
    }

    /// Returns the neighbourhood's space of a post.
    func space(of post: StoredPost, _ reader: PostReader) throws -> SpaceDescriptor {
        guard let neighbourhood = reader.spaces[post.space] else {
            throw CommandFault.refused(Self.notJoined)
        }
        return neighbourhood.space
    }

    /// Returns a post as it is now, as the answer of a command that changed it.
    func answer(_ id: EntityID) async throws -> Post {
        let reader = try await reader()
        let post = try await find(RecordPrefix(RecordKey(id)), reader)
        let details = try await details(of: [post])[post.id] ?? PostDetails()
        guard let answer = reader.answer(post, details, isWhole: true) else {
            throw CommandFault.refused(Self.notJoined)
        }
        return answer
    }
}
