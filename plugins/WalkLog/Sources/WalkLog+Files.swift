internal import PluginKit
internal import WalkLogAPI

// Walks in the formats of other programs.
extension WalkLog {
    /// Performs `walk-log export`.
    func export(_ request: ExportWalkLog) async throws -> SavedFile {
        let walk = try await walk(request.id)
        let wanted: [(file: FilePath, format: WalkFileFormat)] = [
            (request.gpx, .gpx), (request.geojson, .geoJSON), (request.png, .picture(.png)),
            (request.svg, .picture(.svg)),
        ].compactMap { file, format in file.map { ($0, format) } }
        guard let (file, format) = wanted.first, wanted.count == 1 else {
            throw CommandFault.usage(
                "Name one file, with 'gpx', 'geojson', 'png' or 'svg'.", field: "gpx")
        }
        guard let points = try await points(of: walk) else {
            throw CommandFault.conflict(
                "The route is on another of your devices. Connect to that device first.")
        }
        return try await context.files.save(try await format.bytes(of: points), to: file)
    }

    /// Performs `walk-log import`. The points are measured as those of a recording are.
    func load(_ request: LoadWalk) async throws -> RecordedWalk {
        let bytes = try await context.files.read(request.file, bytesMax: GPXTrack.bytesMax)
        let track: Track
        do { track = try Track(file: bytes) } catch {
            throw CommandFault.refused("\(request.file.string) cannot be read. \(Self.why(error))")
        }
        guard track.recordedTime <= WalkLimits.elapsedMax else {
            throw CommandFault.refused(
                "A walk has at most 6 hours: split the file, or make its pauses parts of the track."
            )
        }
        guard let (recorder, end) = WalkRecorder.replaying(track, as: context.random.nonce())
        else {
            throw CommandFault.refused(
                "The file cannot be imported as a walk: none of its "
                    + "points has a time.")
        }
        let id = try await keep(recorder, uptime: end, wallTime: recorder.lastEntry)
        return try await show(WalkLogReference(id: RecordPrefix(RecordKey(id))))
    }

    private static func why(_ error: any Error) -> Sentence {
        (error as? any SentenceError)?.sentence ?? "\(error)"
    }
}

/// A format in which a walk is written.
enum WalkFileFormat {
    case gpx
    case geoJSON
    case picture(RoutePicture.Format)

    /// Returns the content of the file, made away from the plugin.
    /// - Throws: ``CommandFault/refused(_:)`` if a picture is wanted and there is none.
    @concurrent func bytes(of points: [TrackPoint]) async throws -> [UInt8] {
        switch self {
        case .gpx: return Array(Track(points).gpx.utf8)
        case .geoJSON: return Array(Track(points).geoJSON.utf8)
        case .picture(let format):
            let drawn = TrackSimplifier(points).points(countMax: WalkLimits.picturePointsCountMax)
            let parts = Track(drawn).segments.map { $0.map(\.point) }
            do { return try RoutePicture.bytes(of: parts, as: format) } catch {
                throw CommandFault.refused(error.sentence)
            }
        }
    }
}

extension Track {
    /// The time that its segments take together, without the pauses between them.
    fileprivate var recordedTime: Duration {
        segments.reduce(.zero) { time, segment in
            let times = segment.compactMap(\.at)
            guard let first = times.first, let last = times.max() else { return time }
            return time + max(.zero, last - first)
        }
    }

    /// Creates the track of a walk's points.
    init(_ points: [TrackPoint]) {
        var segments: [[Fix]] = []
        for point in points {
            if point.startsSegment || segments.isEmpty { segments.append([]) }
            segments[segments.count - 1].append(Fix(point: point.point, at: point.at))
        }
        self.init(segments: segments)
    }
}

extension WalkRecorder {
    /// Records a track as if this device had been carried along it: the parts between its pauses
    /// are segments, and what a recording ignores is left out. Points without a time are, too.
    /// - Returns: the recording and the uptime at its end, from 0 at its beginning; nil if no point
    ///   has a time.
    static func replaying(
        _ track: Track, as recording: Bytes16
    ) -> (recorder: WalkRecorder, end: Duration)? {
        let segments = track.segments.map { $0.filter { $0.at != nil } }.filter { !$0.isEmpty }
        guard let started = segments.first?.first?.at else { return nil }
        var recorder = WalkRecorder(
            WalkBeginning(recording: recording, started: started), uptime: .zero)
        var uptime = Duration.zero
        for (index, segment) in segments.enumerated() {
            for (place, fix) in segment.enumerated() {
                guard let at = fix.at else { continue }
                // A clock that was set back does not turn time back.
                uptime = max(uptime, at - started)
                if index > 0, place == 0 { _ = recorder.resume(uptime: uptime, wallTime: at) }
                _ = recorder.receive(fix, uptime: uptime, wallTime: at)
            }
            let last = segment.last?.at ?? started
            _ = recorder.pause(uptime: uptime, wallTime: last)
        }
        return (recorder, uptime)
    }
}
