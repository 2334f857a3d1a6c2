public import PluginKit
internal import PromisesAPI

/// Sharing my location with participants while a promise is tracked. Only the departure and the
/// arrival are stored.
extension Promises {
    /// The time within which a location must be delivered.
    static let locationExpiry = Duration.seconds(30)

    /// The state of sharing my location with a promise's participants.
    func sharingState(of promise: Promise) -> PromiseSharing {
        guard !promise.isDeleted, let me = promise.person(context.me), me.state == .member else {
            return .outside
        }
        let phase = promise.phase(now: now)
        let isStopped = choices[promise.id]?.isWanted == false
        guard phase == .tracking else {
            return phase == .past || isStopped || isAgreed(promise) ? .idle : .unconfirmed
        }
        if me.arrived != nil { return .arrived }
        if isStopped { return .stopped }
        guard isAgreed(promise) else { return .unconfirmed }
        if me.departed != nil {
            guard isShower(of: promise, me) else { return .elsewhere }
            // The departure is of an earlier run of the node, which may have crashed. Sharing
            // continues only after the person says so.
            guard begun.contains(promise.id) else { return .interrupted }
        }
        return freshFix == nil ? .searching : .sharing
    }

    /// My location and its age, if it is fresh enough to be used.
    private var freshFix: (fix: Fix, age: Duration)? {
        guard let fix = whereabouts.fix,
            let age = whereabouts.age(uptime: context.clock.uptime), age <= PromiseLimits.freshMax
        else { return nil }
        return (fix, age)
    }

    /// Sends my location to everybody who may see it now, and stores departures and arrivals.
    func share() async throws {
        for id in current.map(\.id) {
            // Each promise is looked up again, because the previous step may have suspended for a
            // while.
            guard let promise = current.first(where: { $0.id == id }),
                sharingState(of: promise) == .sharing, !declaring.contains(id),
                let (fix, age) = freshFix
            else { continue }
            try await share(fix, age: age, in: promise)
        }
    }

    private func share(_ fix: Fix, age: Duration, in promise: Promise) async throws {
        let approach = Approach(from: nil, at: fix.point, to: promise.point)
        let at = moment(of: fix, age: age, in: promise)
        if promise.person(context.me)?.departed == nil || approach.hasArrived {
            guard mayDeclare(in: promise) else { return }
            try await declare(
                at, departure: fix.point, hasArrived: approach.hasArrived, in: promise)
        }
        guard !approach.hasArrived else {
            paces[promise.id] = nil
            try await send(.gone, to: promise)
            return await tellChanged()
        }
        guard sharingState(of: promise) == .sharing else { return }
        let uptime = context.clock.uptime
        if paces[promise.id, default: SendingPace()].sends(fix.point, uptime: uptime) {
            try await send(.fix(fix, age: age), to: promise)
        }
    }

    private func mayDeclare(in promise: Promise) -> Bool {
        let uptime = context.clock.uptime
        // A promise that is past for a moment must not count anew.
        declaringPaces = declaringPaces.filter { !$0.value.isFull(uptime: uptime) }
        return declaringPaces[promise.id, default: DeclaringPace.bucket].permit(uptime: uptime)
    }

    /// Returns the time of a fix: the fix's own time if it lies within the promise, else the
    /// corrected clock. Receivers are known to be years off after their week counter overflowed. A
    /// person who was there before tracking began counts as there from its beginning.
    private func moment(of fix: Fix, age: Duration, in promise: Promise) -> Timestamp {
        if let own = Lateness.counted(fix.at, at: promise.at) { return own }
        return max(promise.at - PromiseLimits.tracking, now - age)
    }

    /// Stores my departure, if it is not stored yet, and my arrival.
    private func declare(
        _ at: Timestamp, departure: Point, hasArrived: Bool, in promise: Promise
    ) async throws {
        declaring.insert(promise.id)
        defer { declaring.remove(promise.id) }
        begun.insert(promise.id)
        var fields: [String: Value] = [:]
        if promise.person(context.me)?.departed == nil {
            fields["departed_ms"] = .integer(at.milliseconds)
            fields["departed_latitude"] = .real(departure.latitude)
            fields["departed_longitude"] = .real(departure.longitude)
            fields["departed_device"] = .bytes(context.device.bytes)
        }
        if hasArrived { fields["arrived_ms"] = .integer(at.milliseconds) }
        try await context.replica.author(
            [try await edit(stating: fields, in: promise)], in: promise.space)
        try await refresh()
    }

    /// Returns the edit that stores a departure or arrival. The first of each is written once. If
    /// the promise was moved, that one stays, and what is stated for the new time replaces what
    /// was stated for other times in between.
    private func edit(stating fields: [String: Value], in promise: Promise) async throws -> Edit {
        let stated = try await context.replica.rows(
            """
            SELECT a.departed_ms AS departed_ms, a.arrived_ms AS arrived_ms
            FROM promises_attendance a JOIN waggle_space s ON s.space = a.space
            WHERE s.id = ? AND a.creator = ?
            """, [.bytes(promise.id.bytes), .bytes(context.me.bytes)])
        let isTaken = stated.contains { row in
            fields.keys.contains { row.integer($0) != nil }
        }
        let names = fields.map { (isTaken ? "again_\($0.key)" : $0.key, $0.value) }
        return .own(
            collection: Self.attendance.name, fields: Dictionary(uniqueKeysWithValues: names))
    }

    /// Sends a message to the participants only; a person who was asked and has not accepted
    /// receives none.
    func send(_ message: SharedLocationMessage, to promise: Promise) async throws {
        try await context.topics.sendEphemeral(
            Self.topic, message.encoded, to: promise.space,
            only: Set(promise.participants.map(\.person)), expiry: Self.locationExpiry)
    }

    /// Receives the location of a participant. Ignores malformed messages and those of other
    /// people.
    public func received(_ message: TopicMessage) async throws {
        let person = message.from.person
        guard message.topic == Self.topic, let space = message.space,
            let promise = current.first(where: { $0.space == space }), isOn(promise),
            promise.includes(person), let sent = SharedLocationMessage(decoding: message.body)
        else { return }
        switch sent {
        case .gone:
            // This also removes the location that another device of theirs sent: that device may be
            // gone, or have a new key.
            guard locations[promise.id]?.removeValue(forKey: person) != nil else { return }
            news.recordMove(in: promise.id)
            await tellChanged()
        case .fix(let fix, let age):
            guard promise.person(person)?.arrived == nil else { return }
            locations[promise.id, default: [:]][person] = KnownLocation(
                fix: fix, fixUptime: context.clock.uptime - age)
            news.recordMove(in: promise.id)
            tellSoon()
        }
    }
}

/// The commands that resume and stop sharing.
extension Promises {
    /// Performs `promise share`: shares again after a stop or an interruption, or from this device
    /// too.
    func resumeSharing(_ request: PromiseReference) async throws -> PromiseDetail {
        let promise = try await promise(request.promise)
        switch sharingState(of: promise) {
        case .outside: throw CommandFault.refused("You do not take part in this promise.")
        case .arrived: throw CommandFault.conflict("You have arrived; there is nothing to share.")
        case .idle where promise.phase(now: now) == .past:
            throw CommandFault.conflict("This promise is over.")
        default: break
        }
        if !isAgreed(promise) { try await agree(to: promise) }
        try await choose(true, for: promise)
        begun.insert(promise.id)
        try await refresh()
        try await share()
        lookSooner()
        return try await show(promise.id)
    }

    /// Performs `promise stop`: ends sharing, and peers drop the location at once.
    func stopSharing(_ request: PromiseReference) async throws -> PromiseDetail {
        let promise = try await promise(request.promise)
        switch sharingState(of: promise) {
        case .outside: throw CommandFault.refused("You do not take part in this promise.")
        case .arrived: throw CommandFault.conflict("You have arrived; nothing is shared any more.")
        case .idle where promise.phase(now: now) == .past:
            throw CommandFault.conflict("This promise is over.")
        default: break
        }
        try await choose(false, for: promise)
        paces[promise.id] = nil
        try await refresh()
        // This comes after every location that may have been sent while the choice was stored.
        try await send(.gone, to: promise)
        await tellChanged()
        return try await show(promise.id)
    }
}
