internal import PluginKit
internal import PromisesAPI

/// The queries about promises and their people.
extension Promises {
    /// Answers `promise list`: promises that are not over, in the order of time; or a page of past
    /// promises.
    func list(_ request: ListPromises) async throws -> PromiseList {
        guard request.past == true else {
            guard request.cursor == nil else {
                throw CommandFault.refused("Only past promises come in pages.")
            }
            let open = try await readCurrent().filter(isListed)
            return PromiseList(promises: try await summaries(open))
        }
        let cursor = try request.cursor.map { text throws(CommandFault) in
            guard let cursor = PastCursor(text.string) else {
                throw .notFound("The cursor is not valid.")
            }
            return cursor
        }
        let (page, next) = try await readPast(from: cursor)
        return PromiseList(
            promises: try await summaries(page), next: next.map { Cursor(computed: $0.text) })
    }

    /// Answers `promise today`: the promises of the day. Around midnight this includes promises of
    /// the day before and after that are being tracked.
    func today() async throws -> PromisesToday {
        let now = now
        let day = PromiseDay.range(containing: now)
        let over = try await readMine().filter {
            day.contains($0.at) && $0.phase(now: now) == .past
        }
        let open = try await readCurrent().filter {
            isListed($0) && (day.contains($0.at) || $0.phase(now: now) == .tracking)
        }
        let promises = (over + open).sorted { ($0.at, $0.id) < ($1.at, $1.id) }
        let next = promises.first { $0.at > now }
        let allDone = !promises.isEmpty && promises.allSatisfy { $0.phase(now: now) == .past }
        return PromisesToday(
            promises: try await summaries(promises), next: next.map { Key($0.id) },
            allDone: allDone,
            text: PromiseDay.text(
                current: next ?? promises.last { $0.phase(now: now) != .past }, allDone: allDone))
    }

    private func isListed(_ promise: Promise) -> Bool {
        !promise.isDeleted && promise.person(context.me)?.isIn == true
    }

    private func summaries(_ promises: [Promise]) async throws -> [PromiseSummary] {
        let names = try await names(in: promises)
        return promises.map { summary($0, names) }
    }

    private func summary(_ promise: Promise, _ names: [PersonID: String]) -> PromiseSummary {
        let sharing = sharingState(of: promise)
        return PromiseSummary(
            id: Key(promise.id), title: promise.title, atMs: promise.at,
            phase: promise.isDeleted ? .deleted : promise.phase(now: now),
            state: promise.person(context.me)?.membership,
            maker: Key(promise.maker), makerName: names[promise.maker] ?? promise.maker.suffix,
            mine: promise.maker == context.me, latitude: promise.point.latitude,
            longitude: promise.point.longitude, locationName: promise.locationName,
            penalty: promise.penalty,
            peopleCount: promise.participants.count, sharing: sharing,
            sharingDevice: sharing == .elsewhere ? showingDevice(of: promise).map { Key($0) } : nil)
    }

    /// Answers `promise show`.
    func show(_ request: PromiseReference) async throws -> PromiseDetail {
        let promise = try await promise(request.promise)
        let names = try await names(in: [promise])
        let blocked = try await blocked(in: promise)
        return PromiseDetail(
            summary: summary(promise, names),
            people: promise.people.map { person in
                let location =
                    blocked.contains(person.person) ? nil : location(of: person, in: promise)
                return self.person(person, location, in: promise, names)
            })
    }

    /// Returns a promise after its command changed it.
    func show(_ id: SpaceID) async throws -> PromiseDetail {
        try await show(PromiseReference(promise: NameOrKey(id)))
    }

    /// Returns the people on the way whom I blocked.
    private func blocked(in promise: Promise) async throws -> Set<PersonID> {
        var blocked: Set<PersonID> = []
        for person in (locations[promise.id] ?? [:]).keys
        where try await context.core.relation(to: person) == .blocked { blocked.insert(person) }
        return blocked
    }

    private func person(
        _ person: Participant, _ location: KnownLocation?, in promise: Promise,
        _ names: [PersonID: String]
    ) -> PromisePerson {
        let isIn = person.state == .member
        let lateness = isIn ? promise.lateness(of: person, now: now) : nil
        let rank = isIn ? promise.ranking.rank(of: person.person) : nil
        let approach = location.map {
            Approach(from: person.departure, at: $0.fix.point, to: promise.point)
        }
        return PromisePerson(
            person: Key(person.person), suffix: KeySuffix(person.person),
            name: names[person.person] ?? person.person.suffix, me: person.person == context.me,
            state: person.membership, lateness: lateness?.kind, latenessText: lateness?.text,
            earlySeconds: lateness?.earlySeconds, rank: rank,
            medal: rank.flatMap { PromiseMedal(rank: $0) }, departedMs: person.departed,
            arrivedMs: person.arrived, hasConfirmed: hasConfirmed(person, promise),
            location: location.map(shown), remaining: approach?.text,
            // Rounded to thousandths: more digits mean nothing and are hard to read.
            progress: approach.map { ($0.progress * 1000).rounded() / 1000 })
    }

    /// Returns the location of a person on the way: for others the one they sent, for me that of my
    /// own source.
    private func location(of person: Participant, in promise: Promise) -> KnownLocation? {
        guard person.person == context.me else { return locations[promise.id]?[person.person] }
        guard sharingState(of: promise) == .sharing, let fix = whereabouts.fix,
            let uptime = whereabouts.fixUptime
        else { return nil }
        return KnownLocation(fix: fix, fixUptime: uptime)
    }

    private func shown(_ location: KnownLocation) -> PromisePerson.SharedLocation {
        let (fix, age) = (location.fix, location.age(uptime: context.clock.uptime))
        return PromisePerson.SharedLocation(
            latitude: fix.point.latitude, longitude: fix.point.longitude,
            accuracyMetres: fix.accuracyMetres, atMs: fix.at,
            ageSeconds: Int(age.components.seconds), isStale: age > PromiseLimits.freshMax)
    }
}
