internal import PluginKit
internal import WalkLogAPI

/// Showing single walks to mates, and taking them back.
extension WalkLog {
    /// A shared walk as it is stored. The mate's program may have written anything.
    private struct StoredShare {
        let id: EntityID
        let author: PersonID
        let mate: PersonID
        let walk: StoredWalk
        let ownWalk: EntityID?
        let way: [UInt8]

        /// Reads a row with the other person in `mate` and my walk of its request in `linked`.
        init?(_ row: Row, me: PersonID) {
            guard let author = row.person("creator"), let mate = row.person("mate"),
                let walk = StoredWalk(row), author == me || author == mate
            else { return nil }
            self.author = author
            self.mate = mate
            self.walk = walk
            id = walk.id
            let column = author == me ? "walk" : "linked"
            ownWalk = row.bytes(column).flatMap { EntityID(bytes: $0) }
            way = row.bytes("way") ?? []
        }
    }

    /// Performs `walk-log share`.
    func share(_ request: ShareWalk) async throws -> SharedWalk {
        let walk = try await walk(request.id)
        let mate = try await context.core.person(request.with)
        guard try await context.core.relation(to: mate) == .mate else {
            throw CommandFault.refused("You can share walks with mates only.")
        }
        guard try await !isShared(walk.id, with: mate) else {
            throw CommandFault.conflict(
                "You share this walk with them already; 'waggle walk-log unshare' takes it back.")
        }
        guard let track = try await points(of: walk) else {
            throw CommandFault.conflict(
                "The route is on another of your devices. Connect to that device first.")
        }
        let way = SharedWay.encoded(SharedWay.points(of: track, isWhole: request.whole ?? false))
        var fields: [String: Value] = [
            "walk": .bytes(walk.id.bytes), "started_ms": .integer(walk.started.milliseconds),
            "elapsed_ms": .integer(walk.elapsed.milliseconds),
            "distance_m": .real(walk.distanceMetres),
            "kilocalories": .integer(Int64(walk.kilocalories)),
            "way": .bytes(way.bytes), "points": .integer(Int64(way.pointsCount)),
        ]
        fields["request"] = walk.request.map { .bytes($0.bytes) }
        let ids = try await context.replica.author(
            [
                .create(
                    collection: Self.sharedWalk.name, nonce: context.random.nonce(),
                    fields: fields)
            ], in: .between(context.me, mate))
        guard let id = ids.first, let share = try await shares(id...id).first else {
            throw CommandFault.failed("The walk was not shared; try again.")
        }
        return answer(share, names: try await context.core.names())
    }

    /// Performs `walk-log unshare`.
    func unshare(_ request: WalkLogReference) async throws -> Done {
        let share = try await share(request.id)
        guard share.author == context.me else {
            throw CommandFault.refused("This is a mate's walk; only they can take it back.")
        }
        try await context.replica.author(
            [.erase(collection: Self.sharedWalk.name, entity: share.id)],
            in: .between(context.me, share.mate))
        return Done()
    }

    /// Performs `walk-log shared`.
    func shared() async throws -> SharedWalks {
        let names = try await context.core.names()
        return SharedWalks(walks: try await newestShares().map { answer($0, names: names) })
    }

    /// Performs `walk-log way`.
    func way(_ request: WalkLogReference) async throws -> WalkTrack {
        let share = try await share(request.id)
        do throws(TrackFault) {
            return WalkTrack(try EncodedTrack.points(of: share.way))
        } catch {
            throw CommandFault.failed(error.sentence)
        }
    }

    /// Tells that a mate shows a walk, or that they took it back.
    func tellShared(_ entity: EntityID, by author: PersonID) async throws {
        let reference = "walk-\(entity)"
        guard let share = try await shares(entity...entity).first, share.author == author else {
            return try await context.core.settleInbox(reference: reference)
        }
        let name = try await context.core.names().sentence(for: author)
        let item = InboxItem(
            kind: Self.inboxKind, reference: reference, title: "\(name) shows you a walk", body: "",
            actions: [], from: author)
        guard try await !context.wasPosted(Self.inboxKind, reference) else { return }
        try await context.tell(item)
    }

    private func share(_ prefix: RecordPrefix) async throws -> StoredShare {
        try prefix.onlyMatch(
            in: try await shares(prefix.entities), of: "shared walk", listedBy: "walk-log shared")
    }

    private func isShared(_ walk: EntityID, with mate: PersonID) async throws -> Bool {
        try await !context.replica.rows(
            """
            SELECT w.entity FROM walklog_shared w JOIN waggle_space s ON s.space = w.space
            WHERE s.kind = 'pair' AND s.person = ? AND w.creator = ? AND w.walk = ? LIMIT 1
            """, [.bytes(mate.bytes), .bytes(context.me.bytes), .bytes(walk.bytes)]
        ).isEmpty
    }

    /// Returns shared walks with the ways that are shown, by a range of ids.
    private func shares(_ entities: ClosedRange<EntityID>) async throws -> [StoredShare] {
        try await context.replica.rows(
            """
            SELECT w.*, s.person AS mate,
                (SELECT o.entity FROM walklog_walk o WHERE o.request = w.request) AS linked
            FROM walklog_shared w JOIN waggle_space s ON s.space = w.space
            WHERE s.kind = 'pair' AND w.entity BETWEEN ? AND ?
                AND s.person NOT IN (SELECT person FROM \(SharedViews.blocked))
            ORDER BY w.started_ms DESC, w.entity DESC LIMIT ?
            """,
            [
                .bytes(entities.lowerBound.bytes), .bytes(entities.upperBound.bytes),
                .integer(Int64(WalkLimits.sharedCountMax)),
            ]
        ).compactMap { StoredShare($0, me: context.me) }
    }

    /// Returns the newest shared walks of each person, without their ways. One mate's many walks
    /// hide nobody else's.
    private func newestShares() async throws -> [StoredShare] {
        try await context.replica.rows(
            """
            SELECT * FROM (
                SELECT w.entity, w.creator, w.walk, w.started_ms, w.elapsed_ms, w.distance_m,
                    w.kilocalories, w.points, w.request, s.person AS mate,
                    (SELECT o.entity FROM walklog_walk o WHERE o.request = w.request) AS linked,
                    row_number() OVER (
                        PARTITION BY w.creator ORDER BY w.started_ms DESC, w.entity DESC) AS place
                FROM walklog_shared w JOIN waggle_space s ON s.space = w.space
                WHERE s.kind = 'pair'
                    AND s.person NOT IN (SELECT person FROM \(SharedViews.blocked)))
            WHERE place <= CASE WHEN creator = ? THEN ? ELSE ? END
            ORDER BY started_ms DESC, entity DESC
            """,
            [
                .bytes(context.me.bytes), .integer(Int64(WalkLimits.sharedCountMax)),
                .integer(Int64(WalkLimits.sharedByOneMateCountMax)),
            ]
        ).compactMap { StoredShare($0, me: context.me) }
    }

    private func answer(_ share: StoredShare, names: [PersonID: String]) -> SharedWalk {
        SharedWalk(
            id: RecordKey(share.id),
            mate: WalkMate(person: Key(share.mate), name: names[share.mate]),
            mine: share.author == context.me, walk: share.ownWalk.map { RecordKey($0) },
            startedMs: share.walk.started, distanceMetres: share.walk.distanceMetres,
            elapsedSeconds: share.walk.elapsed.wholeSeconds,
            kilocalories: share.walk.kilocalories, pointsCount: share.walk.pointsCount)
    }
}

extension WalkTrack {
    /// Creates the value from the points of a track.
    init(_ points: [TrackPoint]) {
        self.init(
            points: points.map {
                Place(
                    latitude: $0.point.latitude, longitude: $0.point.longitude, atMs: $0.at,
                    begins: $0.startsSegment)
            })
    }
}
