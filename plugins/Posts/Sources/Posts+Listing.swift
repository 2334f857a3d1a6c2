internal import PluginKit
internal import PostsAPI

/// Lists of posts.
extension Posts {
    /// Answers `posts list`.
    func list(_ request: ListPosts) async throws -> PostPage {
        let reader = try await reader()
        guard !reader.joined.isEmpty else { return Self.nothingJoined }
        let space = try space(request.neighbourhood, reader)
        let order = request.order ?? .newest
        var (centre, area) = try await place(
            request.latitude, request.longitude, request.radiusMetres)
        var query = PostQuery(order: .newest, space: space, category: request.category)
        query.after = try request.after.map { try Self.cursor($0, for: order) }
        switch order {
        case .newest: break
        case .nearest:
            // The next pages measure from where the first one did.
            if case .nearest(let first, _, _, _) = query.after {
                centre = first
                area = Area(
                    around: first, radiusMetres: area?.radiusMetres ?? PostLimits.radiusMetresMax)
            }
            guard let middle = centre else { throw CommandFault.refused(Self.noLocation) }
            query.order = .nearest
            area = area ?? Area(around: middle, radiusMetres: PostLimits.radiusMetresMax)
        }
        query.area = area
        query.centre = centre
        return try await page(
            query, reader, ifEmpty: area == nil ? Self.nothingYet : Self.emptyArea)
    }

    /// Answers `posts search`.
    func search(_ request: SearchPosts) async throws -> PostPage {
        let reader = try await reader()
        guard !reader.joined.isEmpty else { return Self.nothingJoined }
        let (centre, area) = try await place(
            request.latitude, request.longitude, request.radiusMetres)
        var query = PostQuery(
            order: .found(words: request.text.string), area: area, centre: centre,
            space: try space(request.neighbourhood, reader), category: request.category)
        if let after = request.after {
            switch PostCursor(after.string) {
            case .found(let number): query.after = .found(number: number)
            case .walked(let stamp, let post): query.after = .walked(stamp: stamp, post: post)
            default:
                throw CommandFault.notFound("'after' must be the cursor of an earlier search.")
            }
        }
        return try await page(query, reader, ifEmpty: Self.nothingFound)
    }

    /// Answers `posts mine`.
    func mine(_ request: ListOwnPosts) async throws -> PostPage {
        let reader = try await reader()
        guard !reader.joined.isEmpty else { return Self.nothingJoined }
        var query = PostQuery(order: .newest, author: context.me)
        query.after = try request.after.map { try Self.cursor($0, for: .newest) }
        return try await page(query, reader, ifEmpty: Self.nothingOwn)
    }

    private static var nothingJoined: PostPage {
        PostPage(posts: [], neighbourhoods: [], note: notJoined)
    }
    private static let emptyArea: Sentence =
        "There are no posts here. Look at a larger area, or write the first one."
    private static let nothingYet: Sentence = "Nobody has written here yet. Write the first post."
    private static let nothingFound: Sentence = "No post has these words."
    private static let nothingOwn: Sentence = "You have no posts."
    private static let noMatchSoFar: Sentence = "No match so far; the next page may have one."
    private static let noMore: Sentence = "There are no more posts."
    private static let noLocation: Sentence =
        "Your location is not known. Set it with 'waggle location set', or give a latitude and a "
        + "longitude."

    private static func cursor(
        _ text: Cursor, for order: PostOrder
    ) throws(CommandFault) -> PostCursor {
        switch (PostCursor(text.string), order) {
        case (.newest(let stamp, let post), .newest): return .newest(stamp: stamp, post: post)
        case (.nearest(let centre, let step, let stamp, let post), .nearest):
            return .nearest(centre: centre, step: step, stamp: stamp, post: post)
        default: throw .notFound("'after' must be the cursor of an earlier page in this order.")
        }
    }

    /// Returns the location from which distances are measured, and the area of a list.
    private func place(
        _ latitude: Latitude?, _ longitude: Longitude?, _ radius: DistanceMetres?
    ) async throws -> (centre: Point?, area: Area?) {
        var centre = try Self.point(latitude, longitude)
        if centre == nil { centre = await context.location.whereabouts().fix?.point }
        guard let radius else { return (centre, nil) }
        guard let middle = centre else { throw CommandFault.refused(Self.noLocation) }
        return (centre, Area(around: middle, radiusMetres: radius.value))
    }

    /// Returns the location that a request gives; nil if it gives none.
    static func point(
        _ latitude: Latitude?, _ longitude: Longitude?
    ) throws(CommandFault) -> Point? {
        guard let latitude, let longitude else {
            guard latitude == nil, longitude == nil else {
                throw .refused("A location has a latitude and a longitude.")
            }
            return nil
        }
        return try? Point(latitude: latitude.value, longitude: longitude.value)
    }

    // MARK: - Pages

    /// Returns a page of a list. Posts that are left out are counted, and the page is filled up
    /// with others, unless very many are left out in a row.
    private func page(
        _ query: PostQuery, _ reader: PostReader, ifEmpty note: Sentence
    ) async throws -> PostPage {
        let reading = try await PostReading(of: query, context.replica)
        var (shown, hiddenCount, cursor) = ([StoredPost](), 0, query.after)
        var hasMore = true
        reads: for count in PostLimits.consideredCounts {
            let portion = try await reading.portion(after: cursor, count: count, context.replica)
            for row in portion.rows {
                guard shown.count < PostCommands.pageCount else { break reads }
                cursor = query.cursor(after: row) ?? cursor
                guard let post = StoredPost(row), reader.spaces[post.space] != nil else {
                    continue
                }
                if reader.hides(post), query.author == nil {
                    hiddenCount += 1
                } else {
                    shown.append(post)
                }
            }
            hasMore = portion.after != nil
            cursor = portion.after ?? cursor
            guard hasMore, !portion.endsPage else { break }
        }
        let details = try await details(of: shown)
        return PostPage(
            posts: shown.compactMap { post in
                reader.answer(post, details[post.id] ?? PostDetails(), isWhole: false)
            },
            after: hasMore ? cursor.map { Cursor(computed: $0.text) } : nil,
            hiddenCount: hiddenCount, neighbourhoods: reader.neighbourhoods,
            note: shown.isEmpty ? Self.sentence(onEmpty: query, hasMore, ifEmpty: note) : nil)
    }

    /// Returns what is said about a page without posts; nil if those of it are hidden and others
    /// follow. A page of a search may have none although a later one has some.
    static func sentence(
        onEmpty query: PostQuery, _ hasMore: Bool, ifEmpty note: Sentence
    ) -> Sentence? {
        guard hasMore else { return query.after == nil ? note : noMore }
        if case .found = query.order { return noMatchSoFar }
        return nil
    }
}
