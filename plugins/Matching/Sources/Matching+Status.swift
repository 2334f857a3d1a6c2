internal import MatchingAPI
internal import PluginKit

// The answers of `matching status` and `matching people`.
extension Matching {
    /// Answers `matching status`.
    func status() async throws -> MatchingStatus {
        let names = try await names()
        let pauses = MatchPauses(matches)
        let left = pauses.left(now: context.clock.wallTime)
        let listed = session.isSeeking ? listedPeople().count { !$0.isGone } : nil
        var shownLocation: MatchingLocation?
        if session.isSeeking, let point = card.location?.point {
            shownLocation = MatchingLocation(
                latitude: point.latitude, longitude: point.longitude)
        }
        return MatchingStatus(
            state: state, isSeeking: session.isSeeking, wishes: choice.wishes,
            partner: try await partner(names: names),
            pauseSeconds: left == .zero ? nil : left.secondsRoundedUp,
            cancelCount: pauses.cancelCount, requestCount: session.asked.count,
            peopleCount: listed, location: shownLocation, reviewsDue: dueReviews.count)
    }

    private var state: MatchingState {
        switch session.commitment {
        case .accepted: .accepted
        case .stored(let held): held.stands ? .matched : .confirming
        case nil: session.isSeeking ? .seeking : .idle
        }
    }

    private func partner(names: [PersonID: String]) async throws -> MatchingPartner? {
        guard let person = session.commitment?.person else { return nil }
        let end = session.acceptance?.end ?? session.confirmationEnd
        let secondsLeft = end.map { max(.zero, $0 - now).secondsRoundedUp }
        if let stored = matches.first(where: { $0.id == session.held?.id.raw }) {
            return try await partner(of: stored, names: names, secondsLeft: secondsLeft)
        }
        return MatchingPartner(
            person: Key(person), name: names[person], isMate: try await isMate(person),
            secondsLeft: secondsLeft)
    }

    /// Returns the person of a stored match.
    func partner(
        of match: StoredAgreement, names: [PersonID: String], secondsLeft: Int? = nil
    ) async throws -> MatchingPartner {
        let person = match.person
        return MatchingPartner(
            person: Key(person), name: names[person], isMate: try await isMate(person),
            secondsLeft: secondsLeft, sinceMs: match.at,
            room: match.stands ? Key(SpaceDescriptor.between(context.me, person).id) : nil,
            reviewFromMs: match.theirs == nil ? nil : match.at + MatchingCommands.reviewDelay,
            isReviewed: reviews.given.contains { $0.match.raw == match.id })
    }

    func isMate(_ person: PersonID) async throws -> Bool {
        try await context.core.relation(to: person) == .mate
    }

    /// Forgets the card of a device that has stopped looking. The list keeps a person whom I asked.
    func forgetCard(of peer: Peer) async {
        let isGone = people.remove(
            peer, wasAsked: askedPeople.contains(peer.person), open: Set(session.requests.keys))
        if isGone {
            await publish(MatchingChange(part: .people))
        }
    }

    /// Returns the linked devices of a person that receive a message: all, but of a request only
    /// those that look, if any does. Another one would answer that the person does not look.
    func recipients(of message: MatchMessage, _ person: PersonID) -> [DeviceID] {
        let devices = linked.filter { $0.value == person }.keys.sorted()
        guard case .request = message, let looking = people.people[person]?.devices,
            !looking.isDisjoint(with: devices)
        else { return devices }
        return devices.filter(looking.contains)
    }

    /// The people whom I asked, and those whose answers I have.
    private var askedPeople: Set<PersonID> {
        Set(session.requests.keys).union(session.answers.keys)
    }

    private func listedPeople() -> [SeekingPeople.Listed] {
        var always = Set(session.asked.keys).union(session.requests.keys)
            .union(session.offers.keys)
        if let person = session.commitment?.person { always.insert(person) }
        return people.listed(
            wishes: choice.wishes, location: location, filters: choice.filters, always: always,
            asked: askedPeople)
    }

    /// Answers `matching people`.
    func list(sharedOnly: Bool) async throws -> MatchingPeople {
        let names = try await names()
        let muted = try await context.replica.mutedWords()
        let all = listedPeople()
        let listed = sharedOnly ? all.filter(\.shares) : all
        var entries: [MatchingPerson] = []
        for someone in listed {
            entries.append(
                entry(
                    someone, names: names, muted: muted,
                    isMate: try await isMate(someone.person)))
        }
        return MatchingPeople(
            state: state, recommended: people.recommended(wishes: choice.wishes, muted: muted),
            people: entries,
            hiddenCount: people.people.count - all.count { !$0.isGone })
    }

    private func entry(
        _ someone: SeekingPeople.Listed, names: [PersonID: String], muted: MutedWords,
        isMate: Bool
    ) -> MatchingPerson {
        let (person, card) = (someone.person, someone.card)
        return MatchingPerson(
            person: Key(person), name: names[person], state: state(of: someone),
            wishes: card.wishes.filter { !muted.matches($0) }.map {
                PersonWish(wish: $0, isShared: someone.shared.contains($0))
            },
            shares: someone.shares, distanceMetres: someone.distanceMetres,
            location: card.location?.point.map {
                MatchingLocation(latitude: $0.latitude, longitude: $0.longitude)
            },
            age: card.age, gender: card.gender, isMate: isMate, reviewCount: card.reviewCount,
            answer: session.answers[person].flatMap(Self.sentence))
    }

    private func state(of someone: SeekingPeople.Listed) -> MatchingPersonState {
        let person = someone.person
        if session.commitment?.person == person {
            switch session.commitment {
            case .accepted: return .accepted
            case .stored(let held): return held.stands ? .matched : .confirming
            case nil: break
            }
        }
        if session.offers[person] != nil { return .offering }
        if session.asked[person] != nil { return .asking }
        if session.requests[person] != nil { return .requested }
        return someone.isGone ? .gone : .free
    }

    private static func sentence(_ end: MatchEnd) -> Sentence? {
        switch end {
        case .declined: "They declined."
        case .matched: "They are already matched."
        case .notSeeking: "They stopped looking."
        case .withdrawn, .lapsed, .ended, .known, .failed: nil
        }
    }
}
