internal import PluginKit

/// What is shown of promises.
extension Promises {
    /// Answers `promise list`: what is not over, in the order of time; or a page of what is past.
    func list(_ arguments: Arguments) async throws -> JSONValue {
        guard arguments["past"]?.boolean == true else {
            guard !arguments.has("cursor") else {
                throw CommandFault.usage("Only past promises come in pages.", field: "cursor")
            }
            let open = try await readCurrent().filter(isListed)
            return ["promises": .array(try await summaries(open))]
        }
        let cursor = try arguments["cursor"]?.string.map { text throws(CommandFault) in
            guard let cursor = PastCursor(text) else {
                throw .usage("This is no cursor that an earlier page gave.", field: "cursor")
            }
            return cursor
        }
        let (page, next) = try await readPast(from: cursor)
        return .record([
            "promises": .array(try await summaries(page)), "next": next.map { .string($0.text) },
        ])
    }

    /// Answers `promise today`: the day's promises, and around midnight also those of the day
    /// before and after that are on.
    func today() async throws -> JSONValue {
        let (day, nowMs) = (PromiseDay.range(containing: nowMs), nowMs)
        let over = try await readMine().filter {
            day.contains($0.atMs) && $0.phase(nowMs: nowMs) == .past
        }
        let open = try await readCurrent().filter {
            isListed($0) && (day.contains($0.atMs) || $0.phase(nowMs: nowMs) == .tracking)
        }
        let promises = (over + open).sorted { ($0.atMs, $0.id) < ($1.atMs, $1.id) }
        let next = promises.first { $0.atMs > nowMs }
        return .record([
            "promises": .array(try await summaries(promises)),
            "next": next.map { .string($0.id.description) },
            "allDone": .boolean(
                !promises.isEmpty && promises.allSatisfy { $0.phase(nowMs: nowMs) == .past }),
        ])
    }

    private func isListed(_ promise: Promise) -> Bool {
        !promise.isDeleted && promise.person(context.me)?.isIn == true
    }

    private func summaries(_ promises: [Promise]) async throws -> [JSONValue] {
        let names = try await names(in: promises)
        return promises.map { .object(summary($0, names)) }
    }

    private func summary(
        _ promise: Promise, _ names: [PersonID: String]
    ) -> [String: JSONValue] {
        let members: [String: JSONValue?] = [
            "id": .string(promise.id.description), "title": .string(promise.title),
            "atMs": .integer(promise.atMs),
            "phase": .string(promise.isDeleted ? "deleted" : promise.phase(nowMs: nowMs).rawValue),
            "state": (promise.person(context.me)?.state.rawValue).map { .string($0) },
            "maker": .string(promise.maker.description),
            "makerName": .string(names[promise.maker] ?? promise.maker.suffix),
            "mine": .boolean(promise.maker == context.me),
            "latitude": .number(promise.point.latitude),
            "longitude": .number(promise.point.longitude),
            "place": promise.place.map { .string($0) }, "penalty": .integer(promise.penalty),
            "peopleCount": .integer(Int64(promise.participants.count)),
            "sharing": .string(sharingState(of: promise).rawValue),
        ]
        return members.compactMapValues { $0 }
    }

    /// Answers `promise show` and `promise watch`.
    func show(_ text: String) async throws -> JSONValue {
        let promise = try await promise(text)
        let names = try await names(in: [promise])
        var answer = summary(promise, names)
        let blocked = try await blocked(in: promise)
        answer["people"] = .array(
            promise.people.map { person in
                let position =
                    blocked.contains(person.person) ? nil : position(of: person, in: promise)
                return self.person(person, position, in: promise, names)
            })
        return .object(answer)
    }

    /// Whoever of the people on the way I do not want to see.
    private func blocked(in promise: Promise) async throws -> Set<PersonID> {
        var blocked: Set<PersonID> = []
        for person in (positions[promise.id] ?? [:]).keys
        where try await context.core.relation(to: person) == .blocked { blocked.insert(person) }
        return blocked
    }

    private func person(
        _ person: Participant, _ position: Position?, in promise: Promise,
        _ names: [PersonID: String]
    ) -> JSONValue {
        let rank = promise.ranking.rank(of: person.person)
        let isIn = person.state == .member
        let members: [String: JSONValue?] = [
            "person": .string(person.person.description), "suffix": .string(person.person.suffix),
            "name": .string(names[person.person] ?? person.person.suffix),
            "me": .boolean(person.person == context.me), "state": .string(person.state.rawValue),
            "departedMs": person.departedMs.map { .integer($0) },
            "arrivedMs": person.arrivedMs.map { .integer($0) },
            "rank": isIn ? rank.map { .integer(Int64($0)) } : nil,
            "medal": isIn ? rank.flatMap { Medal(rank: $0) }.map { .string($0.rawValue) } : nil,
        ]
        let lateness = isIn ? json(promise.lateness(of: person, nowMs: nowMs)) : [:]
        let way = position.map { json($0, of: person, in: promise) } ?? [:]
        return .object(
            members.compactMapValues { $0 }.merging(lateness) { one, _ in one }
                .merging(way) { one, _ in one })
    }

    func json(_ lateness: Lateness) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "lateness": .string(lateness.word), "latenessText": .string(lateness.text),
        ]
        members["earlySeconds"] = lateness.earlySeconds.map { .integer($0) }
        return members
    }

    /// Where somebody is on the way: others as they said, myself as my own source says.
    private func position(of person: Participant, in promise: Promise) -> Position? {
        guard person.person == context.me else { return positions[promise.id]?[person.person] }
        guard sharingState(of: promise) == .sharing, let fix = whereabouts.fix,
            let uptime = whereabouts.fixUptime
        else { return nil }
        return Position(fix: fix, fixUptime: uptime)
    }

    private func json(
        _ position: Position, of person: Participant, in promise: Promise
    ) -> [String: JSONValue] {
        let age = position.age(uptime: context.clock.uptime)
        let approach = Approach(
            from: person.departure, at: position.fix.point, to: promise.point)
        let place: [String: JSONValue?] = [
            "latitude": .number(position.fix.point.latitude),
            "longitude": .number(position.fix.point.longitude),
            "accuracyMetres": position.fix.accuracyMetres.map { .number($0) },
            "atMs": position.fix.atMs.map { .integer($0) },
            "ageSeconds": .integer(age.components.seconds),
            "isStale": .boolean(age > PromiseLimits.freshMax),
        ]
        let members: [String: JSONValue?] = [
            "position": .record(place), "remaining": approach.text.map { .string($0) },
            // In thousandths: more says nothing, and is hard to read.
            "progress": .number((approach.progress * 1000).rounded() / 1000),
        ]
        return members.compactMapValues { $0 }
    }
}
