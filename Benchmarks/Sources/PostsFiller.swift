import ControlAPI
import Foundation
import Identity
import PluginKit
import Records
import Replica

/// Makes the home of a person who joined two neighbourhoods. One has 50 000 posts of 500 people,
/// written in the last 25 days; the other has 20 posts with many likes, views and comments. Each
/// piece of a log arrives as over a link: it is checked, charged to its author and stored.
struct PostsFiller {
    /// The locations of the posts.
    enum Layout: String {
        /// In a city of ten kilometres. The older two fifths are all in its old town, and nothing
        /// else is.
        case city
        /// All within five metres of one point.
        case spot
    }

    let household: Household
    let home: Home
    let layout: Layout

    static let postsCount = 50_000
    private static let authorsCount = 500
    /// The oldest posts, which are those of the old town.
    private static let oldCount = postsCount * 2 / 5
    /// The likes and the views of each post of the lively neighbourhood; its comments are a fifth.
    private static let marksCount = authorsCount
    private static let livelyPostsCount = 20
    /// One title in this many has the rare word.
    private static let rareEvery = 1000
    /// One post in this many lacks the word that all others have.
    private static let mutedEvery = 10
    /// The number of posts in the rare category.
    private static let sittersCount = 3
    /// The number of batches in a piece.
    private static let pieceCount = 50
    private static let days = 25

    private static let city = Degrees(latitude: 37.5665, longitude: 126.9780)
    /// About 30 km north of the city.
    private static let oldTown = Degrees(latitude: 37.84, longitude: 126.9780)

    private struct Degrees {
        var latitude: Double
        var longitude: Double
    }

    /// Fills the home.
    func run() async throws -> JSONValue {
        try household.makeHome(home, of: .first)
        let replica = try await BenchReplica.open(
            home.directory, household, key: household.first)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let bringer = try Mate(0).record
        try await replica.learn(bringer)
        await replica.share(among: [bringer.person])
        let town = try await join("Bench Town", in: replica, now)
        let square = try await join("Bench Square", in: replica, now)
        var generator = SplitMix(seed: 77)
        var lively: [EntityID] = []
        for author in try (1...Self.authorsCount).map({ try Mate($0) }) {
            let posts = posts(of: author, in: town.id, now, &generator)
            try await receive(posts, of: author, in: town.id, from: bringer, replica, now)
            if author.number <= Self.livelyPostsCount {
                lively.append(
                    Records.Operation.entity(
                        in: square.id, of: Self.post, by: author.record.person,
                        nonce: SignedWorkload.nonce(author.number)))
            }
        }
        for author in try (1...Self.authorsCount).map({ try Mate($0) }) {
            let marks = marks(of: author, on: lively, in: square.id, now, &generator)
            try await receive(marks, of: author, in: square.id, from: bringer, replica, now)
        }
        let rows = try await replica.read(
            "SELECT count(*) AS count FROM posts_post", allowedTables: nil)
        let expected = Self.postsCount + Self.livelyPostsCount
        guard rows.first?.integer("count") == Int64(expected) else {
            throw BenchFault.wrongPage("the number of posts")
        }
        try await replica.close()
        return ["town": "Bench Town", "square": "Bench Square"]
    }

    private func join(
        _ name: String, in replica: Replica, _ now: Int64
    ) async throws -> SpaceDescriptor {
        let nonce = SignedWorkload.nonce(name.utf8.count)
        _ = try await replica.author(
            [
                .create(
                    collection: "neighbours.neighbourhood/1", nonce: nonce,
                    fields: ["name": .text(name), "at_ms": .integer(now)])
            ], in: household.space.id, wallTime: Timestamp(milliseconds: now))
        let space = SpaceDescriptor.open(name: name.lowercased())
        try await replica.open(space)
        return space
    }

    private func receive(
        _ links: [Run.Link], of author: Mate, in space: SpaceID, from bringer: PersonRecord,
        _ replica: Replica, _ now: Int64
    ) async throws {
        var log = SignedLog(of: author.key, in: space)
        for start in stride(from: 0, to: links.count, by: Self.pieceCount) {
            let previous = log.lastHash
            try log.append(Array(links[start...].prefix(Self.pieceCount)))
            guard let run = log.runs.last else { continue }
            let received = try await replica.receive(
                PassedRun(record: author.record.encoded, previous: previous, run: run),
                in: space, from: bringer.person, wallTime: Timestamp(milliseconds: now))
            guard case .stored = received.result else {
                throw BenchFault.wrongPage("a piece that is not stored: \(received.result)")
            }
        }
    }

    // MARK: Records

    private static let post = CollectionID(name: "posts.post/1")

    /// Returns the posts of an author, one every six hours.
    private func posts(
        of author: Mate, in space: SpaceID, _ now: Int64, _ generator: inout SplitMix
    ) -> [Run.Link] {
        stride(from: author.number - 1, to: Self.postsCount, by: Self.authorsCount).map { number in
            let at = time(ofPost: number, now)
            let place = location(ofPost: number, &generator)
            var title = words(3, &generator)
            if number.isMultiple(of: Self.rareEvery) { title += " 같이산책하자" }
            var text = words(30, &generator) + " 오늘은 everywhere"
            if !number.isMultiple(of: Self.mutedEvery) { text += " casino" }
            return link(
                Self.post, by: author, in: space, nonce: number, at: at,
                [
                    .text(category(ofPost: number)), .text(title), .text(text),
                    .text(author.name), .real(place.latitude), .real(place.longitude),
                    .integer(at), .integer(at),
                ])
        }
    }

    private func time(ofPost number: Int, _ now: Int64) -> Int64 {
        let span = Int64(Self.days) * 24 * 60 * 60 * 1000
        return now - span + span * Int64(number) / Int64(Self.postsCount)
    }

    private func category(ofPost number: Int) -> String {
        // The rare category is among the oldest posts, where a walk by time finds it last.
        number < Self.sittersCount
            ? "sitter" : ["walk", "question", "second-hand", "give-away"][number % 4]
    }

    private func location(ofPost number: Int, _ generator: inout SplitMix) -> Degrees {
        func offset() -> Double { (Double(generator.below(20_001)) - 10_000) / 10_000 }
        let (north, east) = (offset(), offset())
        switch layout {
        case .spot:
            return Degrees(
                latitude: Self.city.latitude + north * 0.000_03,
                longitude: Self.city.longitude + east * 0.000_03)
        case .city:
            let middle = number < Self.oldCount ? Self.oldTown : Self.city
            return Degrees(
                latitude: middle.latitude + north * 0.0449,
                longitude: middle.longitude + east * 0.0567)
        }
    }

    /// Returns what an author writes about the posts of the lively neighbourhood.
    private func marks(
        of author: Mate, on posts: [EntityID], in space: SpaceID, _ now: Int64,
        _ generator: inout SplitMix
    ) -> [Run.Link] {
        var at = now - 60 * 60 * 1000
        var (links, nonce) = ([Run.Link](), 1000)
        if author.number <= posts.count {
            links.append(
                link(
                    Self.post, by: author, in: space, nonce: author.number, at: at,
                    [.text("question"), .text("A lively post"), .text("casino")]))
        }
        for (index, post) in posts.enumerated() {
            var names = ["posts.like/1", "posts.view/1"]
            if (author.number + index).isMultiple(of: 5) { names.append("posts.comment/1") }
            for name in names {
                at += 1
                nonce += 1
                let text: [Value] = name == "posts.comment/1" ? [.text("At the bridge")] : []
                links.append(
                    link(
                        CollectionID(name: name), by: author, in: space, nonce: nonce, at: at,
                        [.bytes(post.bytes)] + text))
            }
        }
        return links
    }

    /// Returns a batch that creates a record and sets its first fields.
    private func link(
        _ collection: CollectionID, by author: Mate, in space: SpaceID, nonce number: Int,
        at milliseconds: Int64, _ values: [Value]
    ) -> Run.Link {
        let nonce = SignedWorkload.nonce(number)
        let entity = Records.Operation.entity(
            in: space, of: collection, by: author.record.person, nonce: nonce)
        let actions =
            [Records.Operation.Action.create(nonce: nonce)]
            + values.enumerated().map { .set(field: UInt64($0.offset + 1), $0.element) }
        return Run.Link(
            stamp: Stamp(Timestamp(milliseconds: milliseconds)),
            body: BatchBody(
                actions.map {
                    Records.Operation(collection: collection, entity: entity, action: $0)
                }, salt: .zero))
    }

    /// Returns words of two to five syllables, drawn from a thousand.
    private func words(_ count: Int, _ generator: inout SplitMix) -> String {
        (0..<count).map { _ in
            String(
                String.UnicodeScalarView(
                    (0...generator.below(4) + 1).compactMap { _ in
                        Unicode.Scalar(UInt32(0xac00 + generator.below(1000) * 11))
                    }))
        }.joined(separator: " ")
    }
}
