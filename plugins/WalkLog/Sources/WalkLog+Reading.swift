internal import PluginKit
internal import WalkLogAPI

/// The queries about recorded walks, and the rows behind them.
extension WalkLog {
    /// Performs `walk-log status`.
    func status() async throws -> WalkLogStatus {
        try await load()
        let kilograms = try await kilograms()
        let names = try await context.core.names()
        let offers = try await offers(names: names)
        let whereabouts = await context.location.whereabouts()
        guard let recorder else {
            return WalkLogStatus(
                state: journalTrouble?.mayBeDiscarded == true ? .damaged : .idle,
                kilograms: kilograms, trouble: journalTrouble?.sentence, offers: offers)
        }
        let beginning = recorder.beginning
        let uptime = context.clock.uptime
        return WalkLogStatus(
            state: WalkLogStatus.State(recorder.state),
            walk: WalkLogStatus.Progress(
                startedMs: beginning.started,
                measures: recorder.measures(uptime: uptime, kilograms: kilograms),
                company: WalkCompany(
                    dogs: beginning.dogs, people: beginning.people, request: beginning.request,
                    names: names)),
            kilograms: kilograms, trouble: trouble(of: recorder, whereabouts, uptime: uptime),
            offers: offers)
    }

    private func trouble(
        of recorder: WalkRecorder, _ whereabouts: Whereabouts, uptime: Duration
    ) -> Sentence? {
        if let writingTrouble { return "The walk is not on the disk yet: \(writingTrouble)" }
        guard recorder.state == .recording else { return nil }
        switch whereabouts.state {
        case .away(let reason), .failed(let reason): return reason
        case .ended: return "The source of your location has ended."
        case .known where whereabouts.source == .hand:
            return "You set your location by hand, so distance is added only when you set it again."
        case .known: return nil
        case .searching:
            return "Your location is not known, so the walk has no distance yet: choose a source "
                + "of your location."
        }
    }

    /// Performs `walk-log list`.
    func list(_ request: ListWalks) async throws -> WalkLogPage {
        let count = request.count?.value ?? Self.usualPageCount
        var condition = ""
        var arguments: [Value] = []
        if let before = request.before {
            let walk = try await walk(before)
            condition = "WHERE (started_ms, entity) < (?, ?)"
            arguments = [.integer(walk.started.milliseconds), .bytes(walk.id.bytes)]
        }
        let rows = try await context.replica.rows(
            """
            SELECT * FROM walklog_walk \(condition) ORDER BY started_ms DESC, entity DESC LIMIT ?
            """, arguments + [.integer(Int64(count + 1))])
        let names = try await context.core.names()
        return WalkLogPage(
            walks: rows.prefix(count).compactMap(StoredWalk.init).map { $0.answer(names: names) },
            more: rows.count > count)
    }

    private static let usualPageCount = 20

    /// Performs `walk-log show`.
    func show(_ request: WalkLogReference) async throws -> RecordedWalk {
        try await walk(request.id).answer(names: try await context.core.names())
    }

    /// Performs `walk-log track`.
    func track(_ request: ShowTrack) async throws -> WalkTrack {
        try await load()
        var points = recorder?.points ?? []
        if let id = request.id {
            let walk = try await walk(id)
            guard let stored = try await self.points(of: walk) else {
                let note: Sentence =
                    "The route loads when you connect to a device of yours that has it."
                return WalkTrack(points: [], note: note)
            }
            points = stored
        }
        let shown = TrackSimplifier(points).points(countMax: request.points?.value ?? points.count)
        return WalkTrack(shown)
    }

    /// Performs `walk-log delete`.
    func delete(_ request: WalkLogReference) async throws -> Done {
        let walk = try await walk(request.id)
        try await context.replica.author(
            [.erase(collection: Self.walk.name, entity: walk.id)], in: .own(context.me))
        return Done()
    }

    /// Returns the points of a walk; nil if they are on another device of mine and not here.
    /// - Throws: ``CommandFault/failed(_:)`` if the content is not a track.
    func points(of walk: StoredWalk) async throws -> [TrackPoint]? {
        guard let track = walk.track else { return [] }
        guard let bytes = try await context.blobs.find(track, in: .own(context.me)) else {
            return nil
        }
        do throws(TrackFault) { return try EncodedTrack.points(of: bytes) } catch {
            throw CommandFault.failed(error.sentence)
        }
    }

    /// Returns the walk that a command names.
    func walk(_ prefix: RecordPrefix) async throws -> StoredWalk {
        try prefix.onlyMatch(
            in: try await walk(prefix.entities), of: "walk", listedBy: "walk-log list")
    }

    /// Returns up to two walks whose ids are in a range.
    func walk(_ entities: ClosedRange<EntityID>) async throws -> [StoredWalk] {
        try await context.replica.rows(
            "SELECT * FROM walklog_walk WHERE entity BETWEEN ? AND ? LIMIT 2",
            [.bytes(entities.lowerBound.bytes), .bytes(entities.upperBound.bytes)]
        ).compactMap(StoredWalk.init)
    }

    /// Whether a recording became a walk.
    func kept(_ recording: Bytes16) async throws -> EntityID? {
        try await context.replica.rows(
            "SELECT entity FROM walklog_walk WHERE recording = ? LIMIT 1",
            [.bytes(recording.bytes)]
        ).first?.entity("entity")
    }

    /// Returns the walker's weight.
    func kilograms() async throws -> Int {
        let rows = try await context.replica.rows(
            "SELECT kilograms FROM walklog_walker WHERE creator = ?", [.bytes(context.me.bytes)])
        return rows.first?.integer("kilograms").map { Int(clamping: $0) }
            ?? WalkLimits.usualKilograms
    }
}

extension WalkLogStatus.State {
    /// Converts the state of a recording.
    init(_ state: WalkRecorder.State) {
        self =
            switch state {
            case .recording: .recording
            case .paused: .paused
            case .interrupted: .interrupted
            }
    }
}
