internal import PluginKit
internal import PromisesAPI

/// The promises to whose times I agreed, each as this device read it last.
///
/// A change of a promise asks me again if it would start showing me immediately, and I was not
/// being shown before. That depends on what the promise was before the change, also if it was over
/// then, called off or invalid, or if I was removed from its group for a moment.
///
/// Example: Ben agreed to 18:00. At 18:10 Ann moves the promise to 20:00, to 13:00, which is past,
/// and to 18:40. Before the last move Ben was not being shown, so it asks him.
struct Sightings: Hashable, Sendable {
    /// A promise to which I agreed, as it is stored now.
    struct Present: Hashable, Sendable {
        /// The promise's id.
        let id: SpaceID
        /// My consent, as it is stored.
        let consent: Consent
        /// My relation to the group.
        let state: Member.State
        /// The time for which people may be shown; nil if the promise is invalid or called off.
        let at: Timestamp?
    }

    private struct Sighting: Hashable, Sendable {
        let agreed: Timestamp
        /// The time for which I might be shown; nil if I could not be shown at all.
        let at: Timestamp?
    }

    private var sightings: [SpaceID: Sighting] = [:]

    /// The promises that are remembered.
    var ids: Set<SpaceID> { Set(sightings.keys) }

    /// Remembers the promises as they are now.
    /// - Returns: the agreed time of each one whose change would show me at once.
    mutating func update(_ present: [Present], now: Timestamp) -> [SpaceID: Timestamp] {
        var awaitingConsent: [SpaceID: Timestamp] = [:]
        var missing = sightings
        for promise in present {
            guard let agreed = promise.consent.agreed else { continue }
            let old = missing.removeValue(forKey: promise.id)
            // Only I can accept.
            guard promise.state == .member || promise.state == .removed else {
                sightings[promise.id] = nil
                continue
            }
            let at = promise.state == .member ? promise.at : nil
            sightings[promise.id] = Sighting(agreed: agreed, at: at)
            // I have just agreed to this very time, perhaps on another device.
            let isFresh = old.map { $0.agreed != agreed && agreed == at } ?? true
            guard !isFresh, let old, let at else { continue }
            if promise.consent.isSurprised(byMoveFrom: old.at, to: at, now: now) {
                awaitingConsent[promise.id] = agreed
            }
        }
        for (id, old) in missing {
            let isKept = now < old.agreed + PromiseLimits.remembered
            sightings[id] = isKept ? Sighting(agreed: old.agreed, at: nil) : nil
        }
        return awaitingConsent
    }
}

extension Promises {
    /// Reads the promises to which I agreed, also those that are over, called off or invalid.
    func readAgreed() async throws -> [Sightings.Present] {
        let rows = try await context.replica.rows(
            """
            SELECT k.*, s.id AS agreed_id, p.state AS state, p.agreed_ms AS agreed_ms,
                p.withdrawn_ms AS withdrawn_ms
            FROM promises_people p JOIN waggle_space s ON s.space = p.space
            LEFT JOIN promises_known k ON k.space = p.space
            WHERE p.person = ? AND s.person != p.person AND p.agreed_ms > ?
            """,
            [
                .bytes(context.me.bytes),
                .integer((now - PromiseLimits.remembered).milliseconds),
            ])
        return rows.compactMap { row in
            guard let id = row.bytes("agreed_id").flatMap({ SpaceID(bytes: $0) }),
                let state = row.text("state").flatMap(Member.State.init)
            else { return nil }
            let promise = Promise(row, people: []).flatMap { $0.isDeleted ? nil : $0 }
            return Sightings.Present(
                id: id, consent: Consent(row), state: state, at: promise?.at)
        }
    }
}
