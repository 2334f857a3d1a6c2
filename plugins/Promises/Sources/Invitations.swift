internal import PluginKit
internal import PromisesAPI

/// Asking mates to take part, and their answers.
extension Promises {
    /// Performs `promise invite`.
    func invite(_ request: InviteToPromise) async throws -> PromiseDetail {
        let promise = try await ahead(request.promise)
        let asked = try await mates(request.with)
        let people = asked.filter { promise.person($0).map { !$0.isIn } ?? true }
        guard !people.isEmpty else {
            throw CommandFault.conflict("They have already been asked.")
        }
        let count = promise.people.count(where: \.isIn) + people.count
        guard count <= PromiseLimits.peopleCountMax else {
            throw CommandFault.refused(
                "A promise has at most \(PromiseLimits.peopleCountMax) people.")
        }
        for person in people {
            try await context.groups.invite(
                person, to: promise.space, as: .writer, named: promise.title)
        }
        return try await show(promise.id)
    }

    /// Performs `promise accept`.
    func accept(_ request: AgreeToPromise) async throws -> PromiseDetail {
        let promise = try await promise(request.promise)
        try checkTime(request.atMs, of: promise)
        guard !promise.isDeleted else {
            throw CommandFault.conflict("Its maker has deleted this promise.")
        }
        switch promise.person(context.me)?.state {
        case .invited: break
        case .member: throw CommandFault.conflict("You take part in this promise already.")
        case .left, .removed, nil:
            throw CommandFault.refused("You were not asked to take part in this promise.")
        }
        guard now < promise.at else {
            throw CommandFault.conflict("The time of this promise has come; it is too late.")
        }
        try await context.groups.accept(promise.space)
        try await agree(to: promise)
        try await refresh()
        try await introduceMyself()
        try await share()
        return try await show(promise.id)
    }

    /// Performs `promise leave`, which also declines an invitation.
    func leave(_ request: PromiseReference) async throws -> PromiseDetail {
        let promise = try await promise(request.promise)
        guard promise.maker != context.me else {
            throw CommandFault.refused("You made this promise; delete it instead.")
        }
        switch promise.person(context.me)?.state {
        case .invited: break
        case .member where promise.isDeleted: break
        case .member where promise.person(context.me)?.arrived != nil:
            throw CommandFault.conflict("You have arrived; the promise stays as it is.")
        case .member where now < promise.at || !hasAgreedBefore(promise): break
        case .member:
            throw CommandFault.conflict("The time of this promise has come; it stays as it is.")
        case .left, .removed, nil:
            throw CommandFault.conflict("You do not take part in this promise.")
        }
        if sharingState(of: promise) == .sharing { try await send(.gone, to: promise) }
        try await context.groups.leave(promise.space)
        try await refresh()
        return try await show(promise.id)
    }

    /// Whether I agreed to a promise's present time before it came. A person who did not may leave
    /// at any time.
    private func hasAgreedBefore(_ promise: Promise) -> Bool {
        myConsent(promise).includes(promise.at)
    }

    /// Writes my name into every promise in which I take part, if it is not there yet.
    func introduceMyself() async throws {
        let fields = try await introduction()
        guard case .text(let nickname)? = fields["nickname"] else { return }
        for promise in current {
            guard let me = promise.person(context.me), me.state == .member,
                me.nickname != nickname
            else { continue }
            try await context.replica.author(
                [.own(collection: Self.attendance.name, fields: fields)], in: promise.space)
        }
    }
}

extension Participant {
    /// Whether they take part or are asked to.
    var isIn: Bool { state == .member || state == .invited }
}
