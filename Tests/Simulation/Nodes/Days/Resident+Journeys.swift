internal import Foundation
internal import PluginKit
internal import Records

/// Attending promises: early, on time, late, or not at all.
extension Resident {
    private enum Manner { case track, byHand, givesUp, stays }

    /// Sets out for a promise in time, unless the person stays at home.
    func attend(_ promise: String) {
        Task {
            guard let record = await untilNear(promise), !isOnTheWay else { return }
            isOnTheWay = true
            defer { isOnTheWay = false }
            if chance.chance(80) { await answerQuestion(about: promise) }
            switch chance.draw([
                (Manner.track, 60), (.byHand, 15), (.givesUp, 10), (.stays, 15),
            ]) {
            case .track: await walk(to: record, isWhole: true)
            case .givesUp: await walk(to: record, isWhole: false)
            case .byHand: await comeByHand(to: record)
            case .stays: world.count("people who stay at home")
            }
        }
    }

    /// Waits until an hour before the promise's time, which may change meanwhile.
    /// - Returns: nil if the person does not take part any more, or the promise was cancelled.
    private func untilNear(_ promise: String) async -> DayBook.Promise? {
        while let record = book.promise(promise), record.isDeleted.sure == false,
            record.standings[id]?.last == .member
        {
            let left = record.atMs.last - 3_600_000 - world.nowMs
            guard left > 0 else { return record }
            try? await world.time.sleep(for: .milliseconds(left))
        }
        return nil
    }

    /// Draws the arrival time, in milliseconds after the promise's time.
    private func drawOffsetMs() -> Int64 {
        let range = chance.draw([
            (-2_700_000 ... -1_900_000, 2), (-1_500_000 ... -1, 8), (0...59_999, 6),
            (60_000...1_800_000, 5), (1_800_001...6_000_000, 1),
        ])
        return Int64(chance.number(range))
    }

    // MARK: - By a recorded track

    private func walk(to record: DayBook.Promise, isWhole: Bool) async {
        let comesMs = record.atMs.last + drawOffsetMs()
        let lasts = min(Int64(chance.number(480_000...2_400_000)), comesMs - world.nowMs)
        guard lasts > 60_000 else { return }
        let stays = max(120_000, record.atMs.last - 1_680_000 - comesMs)
        let journey = Journey(
            to: record.location, lasts: lasts, isWhole: isWhole, stays: stays, chance)
        try? await world.time.sleep(for: .milliseconds(comesMs - lasts - world.nowMs))
        if !node.isUp, chance.chance(85) { await takeOut() }
        await play(journey, to: record, tries: 3)
    }

    /// Plays a track. If the node is killed meanwhile, the rest is played after its restart.
    private func play(_ journey: Journey, to record: DayBook.Promise, tries: Int) async {
        let (run, startMs) = (node.runCount, world.nowMs)
        guard node.isUp, let file = write(journey, startMs: startMs) else { return }
        recordFixes(journey, startMs: startMs)
        let answer = await give(
            "location", "source",
            ["source": "gpx", "file": .string(file), "startMs": .integer(startMs)])
        guard answer.value != nil else { return }
        world.count("tracks played")
        let isShown = await isShown(for: record)
        let isStopped = chance.chance(10)
        if isStopped { Task { await stopAndGoOn(record, within: journey.lastMs) } }
        try? await world.time.sleep(for: .milliseconds(journey.lastMs + 3000))
        if node.runCount == run {
            if isShown, !isStopped { expect(journey, startMs: startMs, record) }
            return
        }
        try? await world.time.sleep(for: chance.milliseconds(1000...60_000))
        if !node.isUp, chance.chance(80) { await takeOut() }
        guard tries > 1, node.isUp,
            let rest = journey.rest(afterMs: world.nowMs - startMs)
                ?? journey.rest(afterMs: journey.lastMs)
        else { return }
        if chance.chance(70) { await share(record) }
        await play(rest, to: record, tries: tries - 1)
    }

    private func write(_ journey: Journey, startMs: Int64) -> String? {
        let file = "\(world.directory)/\(node.place.number)-\(startMs).gpx"
        let isWritten = FileManager.default.createFile(
            atPath: file, contents: Data(journey.gpx(startMs: startMs).utf8))
        return isWritten ? file : nil
    }

    private func recordFixes(_ journey: Journey, startMs: Int64) {
        let fixes = journey.steps.map {
            DayBook.Fix(atMs: startMs + $0.afterMs, spot: $0.spot, isByHand: false)
        }
        book.with { $0.fixes[id, default: []] += fixes }
    }

    /// Whether the node reports that it will show the person in time. A node that was cut off may
    /// know another time.
    private func isShown(for record: DayBook.Promise) async -> Bool {
        let shown = await give("promise", "show", ["promise": .string(record.id)]).value
        let words: [String] = ["idle", "searching", "sharing"]
        guard let shown, shown["atMs"]?.integer == record.atMs.sure else { return false }
        return words.contains(shown["sharing"]?.string ?? "")
    }

    private func share(_ record: DayBook.Promise) async {
        book.with { _ = $0.shares[id, default: []].insert(node.runCount) }
        // To share is to agree to the time that the promise has.
        guard await agree(to: record.id) != nil else { return }
        let answer = await give("promise", "share", ["promise": .string(record.id)]).value
        guard let atMs = answer?["atMs"]?.integer else { return }
        book.with { _ = $0.promises[record.id]?.agreedAtMs[id, default: []].insert(atMs) }
    }

    private func stopAndGoOn(_ record: DayBook.Promise, within lastMs: Int64) async {
        try? await world.time.sleep(for: chance.milliseconds(1...Int(max(2, lastMs))))
        let answer = await give("promise", "stop", ["promise": .string(record.id)])
        if answer.value != nil { world.count("times stopped") }
        guard chance.chance(60) else { return }
        try? await world.time.sleep(for: chance.milliseconds(1000...600_000))
        await share(record)
    }

    /// Records the expected arrival, because nothing interfered: the first point within thirty
    /// metres after the promise is tracked.
    private func expect(_ journey: Journey, startMs: Int64, _ record: DayBook.Promise) {
        let (now, slack) = book.with { ($0.promises[record.id], $0.skewMs + 1500) }
        guard let now, now.atMs.sure == record.atMs.sure, let atMs = now.atMs.sure,
            now.everAtMs == record.everAtMs, now.standings[id]?.sure == .member,
            now.isDeleted.sure == false
        else { return }
        let openMs = atMs - PromiseArithmetic.trackingSeconds * 1000
        // A consent to an earlier time covers the present one, and ends with the earlier one.
        let endMs = now.agreed(by: id).reduce(atMs, min) + PromiseArithmetic.pastSeconds * 1000
        let within = journey.steps.filter { $0.spot.metres(to: record.location) < 30 }
            .map { startMs + $0.afterMs }
        guard let first = within.first, max(first, openMs + slack + 31_000) < endMs - slack
        else { return }
        if first > openMs + slack {
            book.with { state in
                state.arrivals.append(
                    DayBook.Arrival(promise: record.id, person: id, atMs: first...first))
            }
        } else if let last = within.last, last > openMs + slack + 31_000 {
            // The person was there before the tracking, so by any clock they arrive when it starts.
            book.with { state in
                state.arrivals.append(
                    DayBook.Arrival(
                        promise: record.id, person: id, atMs: openMs...openMs + slack + 31_000))
            }
        }
    }

    // MARK: - By hand

    /// Enters the person's location by hand from time to time, at last at the destination.
    private func comeByHand(to record: DayBook.Promise) async {
        let comesMs = record.atMs.last + drawOffsetMs()
        for left in [3, 2, 1, 0] {
            let dueMs = comesMs - Int64(left) * 90_000
            try? await world.time.sleep(for: .milliseconds(max(0, dueMs - world.nowMs)))
            if !node.isUp, chance.chance(60) { await takeOut() }
            // The numbers are so precise that no two people are on one meridian, because files are
            // searched for each number.
            let metres = left == 0 ? 1000...20_000 : left * 400_000 - 100_000...left * 400_000
            let spot = record.location.moved(
                metres: Double(chance.number(metres)) / 1000,
                towards: Double(chance.number(0...359_999)) / 1000)
            let fix = DayBook.Fix(atMs: world.nowMs, spot: spot, isByHand: true)
            book.with { $0.fixes[id, default: []].append(fix) }
            _ = await give(
                "location", "set",
                ["latitude": .number(spot.latitude), "longitude": .number(spot.longitude)])
        }
        world.count("ways by hand")
    }
}
