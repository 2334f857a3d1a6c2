internal import PluginKit
internal import WalkLogAPI

// A recording as answers and records have it.
extension WalkRecorder {
    /// Returns the numbers of the walk so far.
    func measures(uptime: Duration, kilograms: Int) -> WalkMeasures {
        let elapsed = elapsed(uptime: uptime)
        return WalkMeasures(
            distanceMetres: distanceMetres, elapsedSeconds: elapsed.wholeSeconds,
            movingSeconds: min(moving, elapsed).wholeSeconds,
            speedKmh: WalkEnergy.kilometresPerHour(metres: distanceMetres, in: elapsed),
            kilocalories: kilocalories(uptime: uptime, kilograms: kilograms),
            pointsCount: points.count, spikesCount: spikesCount)
    }

    /// Returns the fields of the record of the walk, which ends now.
    /// - Parameter track: the content with the points, if there are any.
    func fields(
        track: Blob?, uptime: Duration, wallTime: Timestamp, kilograms: Int
    ) -> [String: Value] {
        let elapsed = elapsed(uptime: uptime)
        var fields: [String: Value] = [
            "recording": .bytes(beginning.recording.bytes),
            "started_ms": .integer(beginning.started.milliseconds),
            "ended_ms": .integer(ended(wallTime: wallTime).milliseconds),
            "elapsed_ms": .integer(elapsed.milliseconds),
            "moving_ms": .integer(min(moving, elapsed).milliseconds),
            "distance_m": .real(distanceMetres),
            "kilocalories": .integer(Int64(kilocalories(uptime: uptime, kilograms: kilograms))),
            "points": .integer(Int64(points.count)), "spikes": .integer(Int64(spikesCount)),
            "dogs": .list(beginning.dogs.map { .text($0) }),
            "people": .list(beginning.people.map { .text($0.description) }),
        ]
        fields["track"] = track?.value
        fields["request"] = beginning.request.map { .bytes($0.bytes) }
        return fields
    }

    /// Returns the end of a walk that is finished now. A walk that was paused or interrupted ended
    /// with the last entry.
    private func ended(wallTime: Timestamp) -> Timestamp {
        max(beginning.started, state == .recording ? wallTime : lastEntry)
    }

    private func kilocalories(uptime: Duration, kilograms: Int) -> Int {
        let exact = WalkEnergy.kilocalories(
            metres: distanceMetres, in: elapsed(uptime: uptime), kilograms: kilograms)
        return Int(exact.rounded())
    }
}
