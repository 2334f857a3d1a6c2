internal import PluginKit
internal import PromisesAPI

/// A person's consent to be shown on the way to a promise: the time of the promise that they last
/// accepted or confirmed.
///
/// It covers the half hour before that time and the three hours after it, and no other moment. A
/// promise that is moved to an earlier time, or out of these hours, asks the person again. So its
/// maker never chooses when a participant is shown.
///
/// Example: Ben accepted dinner at 18:00, so he may be shown from 17:30 to 21:00.
///
/// | Ann moves it to | shown without asking Ben |
/// |---|---|
/// | 18:30 | from 18:00 to 21:00 |
/// | 17:59, or tomorrow | never |
/// | 20:00, and at 18:10 to 18:40 | never: the second move would show him at once |
struct Consent: Hashable, Sendable {
    /// The time that the person accepted or confirmed last; nil if no record has one, such as the
    /// records of versions that did not store it.
    let agreed: Timestamp?
    /// The agreed time whose consent has ended, because a move would have shown the person at once.
    /// If it is ``agreed``, the person is asked again.
    let withdrawn: Timestamp?

    /// Whether the person may be shown at `now`, or will be by their consent alone, if the promise
    /// is for `at`.
    func covers(_ at: Timestamp, now: Timestamp) -> Bool {
        guard let agreed, agreed != withdrawn, at >= agreed else { return false }
        return max(now, at - PromiseLimits.tracking) < agreed + PromiseLimits.past
    }

    /// Whether the person agreed to be shown for a promise for `at` when its tracking begins.
    func includes(_ at: Timestamp) -> Bool { covers(at, now: at - PromiseLimits.tracking) }

    /// Whether a move asks the person again although the consent covers the new time: it would
    /// show a person at once who was not to be shown at this moment. The old time is nil if the
    /// promise was called off or invalid, or the person was removed from its group.
    func isSurprised(byMoveFrom old: Timestamp?, to new: Timestamp, now: Timestamp) -> Bool {
        let wasShown = old.map { shows($0, now: now) } ?? false
        return !wasShown && shows(new, now: now)
    }

    private func shows(_ at: Timestamp, now: Timestamp) -> Bool {
        PromisePhase(at: at, now: now) == .tracking && covers(at, now: now)
    }
}

extension Consent {
    /// The consent in a row of the view of people.
    init(_ row: Row) {
        self.init(
            agreed: row.integer("agreed_ms").map { Timestamp(milliseconds: $0) },
            withdrawn: row.integer("withdrawn_ms").map { Timestamp(milliseconds: $0) })
    }
}

extension Promises {
    /// My consent to be shown for a promise, including a withdrawal that is not stored yet.
    func myConsent(_ promise: Promise) -> Consent {
        let stored = promise.person(context.me)?.consent
        let agreed = stored?.agreed
        let isSurprised = agreed != nil && agreed == awaitingConsent[promise.id]
        return Consent(agreed: agreed, withdrawn: isSurprised ? agreed : stored?.withdrawn)
    }

    /// Whether I agreed to be shown for a promise as it is now. Its maker did by setting its time.
    func isAgreed(_ promise: Promise) -> Bool {
        guard promise.maker != context.me else { return true }
        return myConsent(promise).covers(promise.at, now: now)
    }

    /// Whether a participant agreed to the present time of a promise; nil if their program does
    /// not say.
    func hasConfirmed(_ person: Participant, _ promise: Promise) -> Bool? {
        guard person.state == .member else { return nil }
        if person.person == context.me { return isAgreed(promise) }
        if person.person == promise.maker { return true }
        return person.consent.agreed == nil
            ? nil : person.consent.covers(promise.at, now: now)
    }

    /// Stores that I agree to be shown for a promise as it is now.
    func agree(to promise: Promise) async throws {
        guard promise.maker != context.me else { return }
        awaitingConsent[promise.id] = nil
        try await context.replica.author(
            [
                .own(
                    collection: Self.attendance.name,
                    fields: [
                        "agreed_ms": .integer(promise.at.milliseconds), "withdrawn_ms": .null,
                    ])
            ], in: promise.space)
    }

    /// Performs `promise confirm`.
    func confirm(_ request: AgreeToPromise) async throws -> PromiseDetail {
        let promise = try await promise(request.promise)
        try checkTime(request.atMs, of: promise)
        guard !promise.isDeleted, promise.person(context.me)?.state == .member else {
            throw CommandFault.refused("You do not take part in this promise.")
        }
        guard promise.phase(now: now) != .past else {
            throw CommandFault.conflict("This promise is over.")
        }
        guard !isAgreed(promise) else {
            throw CommandFault.conflict("You have agreed to this time already.")
        }
        try await agree(to: promise)
        // The answer also continues what a restart interrupted.
        begun.insert(promise.id)
        try await refresh()
        try await share()
        lookSooner()
        return try await show(promise.id)
    }

    /// Checks that a promise still has the time that a person was shown when they agreed to it.
    func checkTime(_ expected: Timestamp?, of promise: Promise) throws(CommandFault) {
        guard let expected, expected != promise.at else { return }
        throw .conflict(
            "The promise has moved to \(MomentText.text(promise.at, now: now)); check it again.")
    }

    /// Finds the promises that would show me at once after a change, and those about which my
    /// inbox asks.
    func findQuestions(_ agreed: [Sightings.Present]) {
        let found = sightings.update(agreed, now: now)
        awaitingConsent = awaitingConsent.filter { sightings.ids.contains($0.key) }
        awaitingConsent.merge(found) { _, new in new }
        var open: [SpaceID: Timestamp] = [:]
        for promise in current where sharingState(of: promise) == .unconfirmed {
            open[promise.id] = promise.at
            if questions[promise.id] != promise.at { renewed.insert(.confirmation(promise.id)) }
        }
        questions = open
    }

    /// Stores that I am asked again, so that it outlasts a restart and reaches my other devices.
    /// There is one such record per consent, however often the promise is moved.
    func storeWithdrawals() async throws {
        for promise in current where promise.includes(context.me) {
            guard let consent = promise.person(context.me)?.consent, let agreed = consent.agreed,
                agreed == awaitingConsent[promise.id], agreed != consent.withdrawn
            else {
                // From here on the record decides, which an answer on any device changes.
                awaitingConsent[promise.id] = nil
                continue
            }
            try await context.replica.author(
                [
                    .own(
                        collection: Self.attendance.name,
                        fields: ["withdrawn_ms": .integer(agreed.milliseconds)])
                ], in: promise.space)
        }
    }
}
