internal import FeaturesAPI
internal import Foundation
internal import PluginKit
internal import PromisesAPI
internal import Records
internal import TestSupport

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
            let left = record.at.last - .seconds(3600) - world.now
            guard left > .zero else { return record }
            try? await world.time.sleep(for: left)
        }
        return nil
    }

    /// Draws the time of arrival after the promise's time.
    private func drawOffset() -> Duration {
        let range = chance.draw([
            (Duration.seconds(-2700) ... .seconds(-1900), 2),
            (.seconds(-1500) ... .milliseconds(-1), 8), (.zero ... .milliseconds(59_999), 6),
            (.seconds(60) ... .seconds(1800), 5), (.milliseconds(1_800_001) ... .seconds(6000), 1),
        ])
        return chance.duration(range)
    }

    // MARK: - By a recorded track

    private func walk(to record: DayBook.Promise, isWhole: Bool) async {
        let arrival = record.at.last + drawOffset()
        let lasts = min(chance.duration(.seconds(480) ... .seconds(2400)), arrival - world.now)
        guard lasts > .seconds(60) else { return }
        let stays = max(.seconds(120), record.at.last - .seconds(1680) - arrival)
        let journey = Journey(
            to: record.location, lasts: lasts, isWhole: isWhole, stays: stays, chance)
        try? await world.time.sleep(for: arrival - lasts - world.now)
        if !node.isUp, chance.chance(85) { await startNode() }
        await play(journey, to: record, tries: 3)
    }

    /// Plays a track. If the node is killed meanwhile, the rest is played after its restart.
    private func play(_ journey: Journey, to record: DayBook.Promise, tries: Int) async {
        let (run, start) = (node.runCount, world.now)
        guard node.isUp, let file = write(journey, start: start) else { return }
        recordFixes(journey, start: start)
        let answer = await give(
            LocationCommands.source, try .init(source: .gpx, file: FilePath(file), startMs: start))
        guard answer.value != nil else { return }
        world.count("tracks played")
        let isShown = await isShown(for: record)
        let isStopped = chance.chance(10)
        if isStopped { Task { await stopAndGoOn(record, within: journey.duration) } }
        try? await world.time.sleep(for: journey.duration + .seconds(3))
        if node.runCount == run {
            if isShown, !isStopped { expect(journey, start: start, record) }
            return
        }
        try? await world.time.sleep(for: chance.duration(.seconds(1) ... .seconds(60)))
        if !node.isUp, chance.chance(80) { await startNode() }
        guard tries > 1, node.isUp,
            let rest = journey.rest(after: world.now - start)
                ?? journey.rest(after: journey.duration)
        else { return }
        if chance.chance(70) { await share(record) }
        await play(rest, to: record, tries: tries - 1)
    }

    private func write(_ journey: Journey, start: Timestamp) -> String? {
        let file = "\(world.directory)/\(node.place.number)-\(start.milliseconds).gpx"
        let isWritten = FileManager.default.createFile(
            atPath: file, contents: Data(journey.gpx(start: start).utf8))
        return isWritten ? file : nil
    }

    private func recordFixes(_ journey: Journey, start: Timestamp) {
        let fixes = journey.steps.map {
            DayBook.Fix(at: start + $0.after, spot: $0.spot, isByHand: false)
        }
        book.with { $0.fixes[id, default: []] += fixes }
    }

    /// Whether the node reports that it will show the person in time. A node that was cut off may
    /// know another time.
    private func isShown(for record: DayBook.Promise) async -> Bool {
        let shown = await give(PromiseCommands.show, try .init(promise: NameOrKey(record.id))).value
        guard let shown, shown.summary.atMs == record.at.sure else { return false }
        return [.idle, .searching, .sharing].contains(shown.summary.sharing)
    }

    private func share(_ record: DayBook.Promise) async {
        book.with { _ = $0.shares[id, default: []].insert(node.runCount) }
        // To share is to agree to the time that the promise has.
        guard await agree(to: record.id) != nil else { return }
        let answer = await give(PromiseCommands.share, try .init(promise: NameOrKey(record.id)))
            .value
        guard let at = answer?.summary.atMs else { return }
        book.with { _ = $0.promises[record.id]?.agreedAt[id, default: []].insert(at) }
    }

    private func stopAndGoOn(_ record: DayBook.Promise, within duration: Duration) async {
        try? await world.time.sleep(
            for: chance.duration(.milliseconds(1)...max(.milliseconds(2), duration)))
        let answer = await give(PromiseCommands.stop, try .init(promise: NameOrKey(record.id)))
        if answer.value != nil { world.count("times stopped") }
        guard chance.chance(60) else { return }
        try? await world.time.sleep(for: chance.duration(.seconds(1) ... .seconds(600)))
        await share(record)
    }

    /// Records the expected arrival, because nothing interfered: the first point within thirty
    /// metres after the promise is tracked.
    private func expect(_ journey: Journey, start: Timestamp, _ record: DayBook.Promise) {
        let (now, slack) = book.with { ($0.promises[record.id], $0.skew + .milliseconds(1500)) }
        guard let now, now.at.sure == record.at.sure, let at = now.at.sure,
            now.everAt == record.everAt, now.standings[id]?.sure == .member,
            now.isDeleted.sure == false
        else { return }
        let open = at - PromiseArithmetic.trackingLead
        // A consent to an earlier time covers the present one, and ends with the earlier one.
        let end = now.agreed(by: id).reduce(at, min) + PromiseArithmetic.pastDelay
        let within = journey.steps.filter { $0.spot.metres(to: record.location) < 30 }
            .map { start + $0.after }
        guard let first = within.first, max(first, open + slack + .seconds(31)) < end - slack
        else { return }
        if first > open + slack {
            book.with { state in
                state.arrivals.append(
                    DayBook.Arrival(promise: record.id, person: id, at: first...first))
            }
        } else if let last = within.last, last > open + slack + .seconds(31) {
            // The person was there before the tracking, so by any clock they arrive when it starts.
            book.with { state in
                state.arrivals.append(
                    DayBook.Arrival(
                        promise: record.id, person: id, at: open...open + slack + .seconds(31)))
            }
        }
    }

    // MARK: - By hand

    /// Enters the person's location by hand from time to time, at last at the destination.
    private func comeByHand(to record: DayBook.Promise) async {
        let arrival = record.at.last + drawOffset()
        for left in [3, 2, 1, 0] {
            let due = arrival - .seconds(90 * left)
            try? await world.time.sleep(for: max(.zero, due - world.now))
            if !node.isUp, chance.chance(60) { await startNode() }
            // The numbers are so precise that no two people are on one meridian, because files are
            // searched for each number.
            let metres = left == 0 ? 1000...20_000 : left * 400_000 - 100_000...left * 400_000
            let spot = record.location.moved(
                metres: Double(chance.number(metres)) / 1000,
                towards: Double(chance.number(0...359_999)) / 1000)
            let fix = DayBook.Fix(at: world.now, spot: spot, isByHand: true)
            book.with { $0.fixes[id, default: []].append(fix) }
            _ = await give(
                LocationCommands.set,
                try .init(latitude: Latitude(spot.latitude), longitude: Longitude(spot.longitude)))
        }
        world.count("ways by hand")
    }
}
