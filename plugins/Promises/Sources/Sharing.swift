public import PluginKit

/// How it stands with showing where I am.
enum SharingState: String, Hashable, Sendable {
    /// It is not the time.
    case idle
    /// I do not take part, or the promise is deleted.
    case outside
    /// Participants see where I am.
    case sharing
    /// They would, but no source says where that is.
    case searching
    /// I said stop.
    case stopped
    /// The node ended on the way; sharing goes on once I say so.
    case interrupted
    /// Another device of mine set out, and shows where it is; this one does once I say so.
    case elsewhere
    /// I have arrived.
    case arrived
}

/// Showing participants where I am, while a promise is on: in memory, but for two facts.
extension Promises {
    /// How long a position may take to be delivered.
    static let positionExpiry = Duration.seconds(30)

    /// How it stands with showing where I am.
    func sharingState(of promise: Promise) -> SharingState {
        guard !promise.isDeleted, let me = promise.person(context.me), me.state == .member else {
            return .outside
        }
        guard promise.phase(nowMs: nowMs) == .tracking else { return .idle }
        if me.arrivedMs != nil { return .arrived }
        if choices[promise.id]?.isWanted == false { return .stopped }
        if me.departedMs != nil {
            guard isShower(of: promise, me) else { return .elsewhere }
            // Who set out before this start of the node was interrupted, by a crash or otherwise:
            // it goes on only once its person says so.
            guard begun.contains(promise.id) else { return .interrupted }
        }
        return freshFix == nil ? .searching : .sharing
    }

    /// Where I am and how old that is, where it is fresh enough to be of use.
    private var freshFix: (fix: Fix, age: Duration)? {
        guard let fix = whereabouts.fix,
            let age = whereabouts.age(uptime: context.clock.uptime), age <= PromiseLimits.freshMax
        else { return nil }
        return (fix, age)
    }

    /// Shows where I am to everybody who is to see it now, and notes departures and arrivals.
    func share() async throws {
        for id in current.map(\.id) {
            // Looked for each time anew: the step before may have taken a while.
            guard let promise = current.first(where: { $0.id == id }),
                sharingState(of: promise) == .sharing, !declaring.contains(id),
                let (fix, age) = freshFix
            else { continue }
            try await share(fix, age: age, in: promise)
        }
    }

    private func share(_ fix: Fix, age: Duration, in promise: Promise) async throws {
        let approach = Approach(from: nil, at: fix.point, to: promise.point)
        let atMs = moment(of: fix, age: age, in: promise)
        if promise.person(context.me)?.departedMs == nil || approach.hasArrived {
            try await declare(
                atMs, departure: fix.point, hasArrived: approach.hasArrived, in: promise)
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

    /// When I was at a fix: by the fix's own time where that lies within the promise, else by the
    /// corrected clock. Receivers are known to be years off after their week counter ran over. Who
    /// was there before the promise began is there from its beginning on.
    private func moment(of fix: Fix, age: Duration, in promise: Promise) -> Int64 {
        if let atMs = Lateness.counted(fix.atMs, atMs: promise.atMs) { return atMs }
        return max(
            0, promise.atMs - PromiseLimits.trackingMs, nowMs - Int64(age / .milliseconds(1)))
    }

    /// Stores that I set out, where I have not before, and that I arrived.
    private func declare(
        _ atMs: Int64, departure: Point, hasArrived: Bool, in promise: Promise
    ) async throws {
        declaring.insert(promise.id)
        defer { declaring.remove(promise.id) }
        begun.insert(promise.id)
        var fields: [String: Value] = [:]
        if promise.person(context.me)?.departedMs == nil {
            fields["departed_ms"] = .integer(atMs)
            fields["departed_latitude"] = .real(departure.latitude)
            fields["departed_longitude"] = .real(departure.longitude)
            fields["departed_device"] = .bytes(context.device.bytes)
        }
        if hasArrived { fields["arrived_ms"] = .integer(atMs) }
        try await context.replica.author(
            [try await edit(stating: fields, in: promise)], in: promise.space)
        try await refresh()
    }

    /// What states a departure or arrival. Each is written once into a record; those of a time from
    /// which the promise was moved away stay as they are, beside a new record.
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
        return isTaken
            ? .create(
                collection: Self.attendance.name, nonce: context.random.nonce(), fields: fields)
            : .own(collection: Self.attendance.name, fields: fields)
    }

    /// Sends to those who take part; who is asked and has not accepted is shown nobody.
    func send(_ message: PositionMessage, to promise: Promise) async throws {
        try await context.topics.sendEphemeral(
            Self.topic, message.encoded, to: promise.space,
            only: Set(promise.participants.map(\.person)), expiry: Self.positionExpiry)
    }

    /// Takes a participant's position; anybody else's, and what is no position, is left alone.
    public func received(_ message: TopicMessage) async throws {
        let person = message.from.person
        guard message.topic == Self.topic, let space = message.space,
            let promise = current.first(where: { $0.space == space }), isOn(promise),
            promise.includes(person), let position = PositionMessage(decoding: message.body)
        else { return }
        switch position {
        case .gone:
            // Also what another device of theirs showed: that one may be gone, or under a new key.
            guard positions[promise.id]?.removeValue(forKey: person) != nil else { return }
            await tellChanged()
        case .fix(let fix, let age):
            guard promise.person(person)?.arrivedMs == nil else { return }
            positions[promise.id, default: [:]][person] = Position(
                fix: fix, fixUptime: context.clock.uptime - age)
            tellSoon()
        }
    }
}

/// Saying whether to share.
extension Promises {
    /// Does `promise share`: shares again after it was stopped or interrupted, or from this
    /// device too.
    func resumeSharing(_ text: String) async throws -> JSONValue {
        let promise = try await promise(text)
        switch sharingState(of: promise) {
        case .outside: throw CommandFault.refused("You do not take part in this promise.")
        case .arrived: throw CommandFault.conflict("You have arrived; there is nothing to share.")
        case .idle where promise.phase(nowMs: nowMs) == .past:
            throw CommandFault.conflict("This promise is past.")
        case .idle, .sharing, .searching, .stopped, .interrupted, .elsewhere: break
        }
        try await choose(true, for: promise)
        begun.insert(promise.id)
        try await refresh()
        try await share()
        lookSooner()
        return try await show(promise.id.description)
    }

    /// Does `promise stop`: shares no more, and peers drop the position at once.
    func stopSharing(_ text: String) async throws -> JSONValue {
        let promise = try await promise(text)
        switch sharingState(of: promise) {
        case .outside: throw CommandFault.refused("You do not take part in this promise.")
        case .arrived: throw CommandFault.conflict("You have arrived; nothing is shared any more.")
        case .idle where promise.phase(nowMs: nowMs) == .past:
            throw CommandFault.conflict("This promise is past.")
        case .idle, .sharing, .searching, .stopped, .interrupted, .elsewhere: break
        }
        try await choose(false, for: promise)
        paces[promise.id] = nil
        try await refresh()
        // After all that may have been sent while the wish was stored.
        try await send(.gone, to: promise)
        await tellChanged()
        return try await show(promise.id.description)
    }
}
