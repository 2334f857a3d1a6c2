internal import MatchingAPI
public import PluginKit

extension Matching {
    /// The functions that perform the commands.
    public static let commands: [CommandHandler] = [
        handle(MatchingCommands.status) { plugin, _ in try await plugin.status() },
        handle(MatchingCommands.wishes) { plugin, request in try await plugin.set(request) },
        handle(MatchingCommands.look) { plugin, _ in try await plugin.look() },
        handle(MatchingCommands.stop) { plugin, _ in try await plugin.stop() },
        handle(MatchingCommands.people) { plugin, request in
            try await plugin.list(sharedOnly: request.shared ?? false)
        },
        handle(MatchingCommands.request) { plugin, request in
            try await plugin.press(request.person)
        },
        handle(MatchingCommands.accept) { plugin, request in
            try await plugin.accept(request.person)
        },
        handle(MatchingCommands.decline) { plugin, request in
            try await plugin.decline(request.person)
        },
        handle(MatchingCommands.cancel) { plugin, request in try await plugin.cancel(request) },
        handle(MatchingCommands.review) { plugin, request in try await plugin.write(request) },
        handle(MatchingCommands.skipReview) { plugin, request in
            try await plugin.skip(request)
        },
        handle(MatchingCommands.reviews) { plugin, request in
            try await plugin.list(request)
        },
        handle(MatchingCommands.show) { plugin, request in try await plugin.show(request) },
        handle(MatchingCommands.card) { plugin, _ in await plugin.shownCard },
        handle(MatchingCommands.editCard) { plugin, request in try await plugin.edit(request) },
        handle(MatchingCommands.filters) { plugin, _ in await plugin.shownFilters },
        handle(MatchingCommands.editFilters) { plugin, request in
            try await plugin.edit(request)
        },
    ]

    // MARK: - My choice

    private func set(_ request: SetWishes) async throws -> MatchingStatus {
        choice.wishes = (request.wish ?? .anything).wishes
        try await storeChoice()
        return try await status()
    }

    private func edit(_ request: EditMatchingCard) async throws -> MatchingCard {
        let before = choice
        if let age = request.age { choice.age = age.value }
        if let gender = request.gender { choice.gender = gender }
        for field in request.without ?? [] {
            switch field {
            case .age: choice.age = nil
            case .gender: choice.gender = nil
            }
        }
        if choice != before { try await storeChoice() }
        return shownCard
    }

    private var shownCard: MatchingCard {
        MatchingCard(
            age: choice.age, gender: choice.gender, shownReviewCount: reviews.shown.count)
    }

    private func edit(_ request: EditMatchingFilters) async throws -> MatchingFilters {
        var filters = request.clear == true ? MatchFilters() : choice.filters
        if let gender = request.gender { filters.gender = gender }
        if let age = request.ageMin { filters.ageMin = age.value }
        if let age = request.ageMax { filters.ageMax = age.value }
        if let least = filters.ageMin, let most = filters.ageMax, least > most {
            throw CommandFault.refused(
                "The lowest age is \(least) and the highest \(most): nobody is in between.")
        }
        if filters != choice.filters {
            choice.filters = filters
            try await storeChoice()
        }
        return shownFilters
    }

    private var shownFilters: MatchingFilters {
        let filters = choice.filters
        return MatchingFilters(
            gender: filters.gender, ageMin: filters.ageMin, ageMax: filters.ageMax)
    }

    private func storeChoice() async throws {
        do {
            try await context.replica.author(
                [.own(collection: Self.choice.name, fields: choice.fields)],
                in: .own(context.me))
        } catch {
            try await readRecords()
            throw error
        }
        await sendCards()
        await publish(MatchingChange(part: .status))
        await publish(MatchingChange(part: .people))
    }

    // MARK: - Looking, asking, answering

    private func look() async throws -> MatchingStatus {
        let left = MatchPauses(matches).left(now: context.clock.wallTime)
        guard left == .zero else {
            let seconds = left.secondsRoundedUp
            throw CommandFault.refused(
                Sentence(
                    count: seconds,
                    one: "You ended a match a moment ago; you can look again in 1 second.",
                    other:
                        "You ended a match a moment ago; you can look again in \(seconds) seconds."
                ))
        }
        do { await perform(try session.look()) } catch { throw Self.fault(error) }
        return try await status()
    }

    private func stop() async throws -> MatchingStatus {
        await perform(session.stop())
        return try await status()
    }

    private func press(_ named: NameOrKey) async throws -> MatchingStatus {
        let person: PersonID
        do { person = try await self.person(named) } catch CommandFault.notFound(_)
            where !session.isMatched && !session.isSeeking
        {
            // A person who is not looking has an empty list.
            throw Self.fault(.notSeeking)
        }
        let name = try await context.core.myCard().nickname
        do {
            await perform(try session.press(person, id: newID(), name: name, now: now))
        } catch { throw Self.fault(error) }
        return try await status()
    }

    private func accept(_ named: NameOrKey) async throws -> MatchingStatus {
        let person = try await self.person(named)
        guard session.asked[person] != nil else {
            throw CommandFault.conflict("This person has not asked you, or took it back.")
        }
        do { await perform(try session.press(person, id: newID(), now: now)) } catch {
            throw Self.fault(error)
        }
        return try await status()
    }

    private func decline(_ named: NameOrKey) async throws -> MatchingStatus {
        let person = try await self.person(named)
        guard session.asked[person] != nil else {
            throw CommandFault.conflict("This person has not asked you, or took it back.")
        }
        await perform(session.decline(person))
        return try await status()
    }

    private func cancel(_ request: CancelMatching) async throws -> MatchingStatus {
        if let named = request.person {
            let person = try await self.person(named)
            if session.requests[person] != nil {
                await perform(session.withdraw(person))
                return try await status()
            }
            guard session.commitment?.person == person else {
                throw CommandFault.conflict(
                    "There is nothing between you that could be taken back.")
            }
        }
        guard session.commitment != nil else {
            throw CommandFault.conflict("You have no match and accepted no request.")
        }
        await perform(session.cancel(now: now))
        return try await status()
    }

    private func newID() -> MatchID {
        MatchID(madeBy: context.device, nonce: context.random.nonce())
    }

    /// Returns the person whom a command names: one who looks, asked, or has a match with me.
    func person(_ named: NameOrKey) async throws -> PersonID {
        let candidates = Set(people.people.keys).union(session.asked.keys)
            .union(session.requests.keys).union(matches.map(\.person))
        let names = try await names()
        return try named.resolve(
            among: candidates, named: { names[$0] }, what: "person", listedBy: "matching people")
    }

    /// Returns the names of people: those who are known, then those who asked, then those shown to
    /// everyone.
    func names() async throws -> [PersonID: String] {
        var names = try await context.core.names()
        let muted = try await context.replica.mutedWords()
        for (person, asked) in session.asked {
            guard names[person] == nil,
                let name = asked.name.flatMap(TextsOfOthers.nickname).flatMap(muted.shown)
            else { continue }
            names[person] = person.called(name)
        }
        let nearby = try await context.core.namesNearby()
        for (device, person) in linked.sorted(by: { $0.key < $1.key }) where names[person] == nil {
            guard let name = nearby[device.description].flatMap(TextsOfOthers.nickname) else {
                continue
            }
            names[person] = person.called(name)
        }
        return names
    }

    private static func fault(_ refusal: MatchRefusal) -> CommandFault {
        switch refusal {
        case .matched: .conflict("You have a match; end it before you look for another.")
        case .notSeeking: .refused("Look first: 'waggle matching look'.")
        case .committed:
            .conflict(
                "You accepted another request; wait until it is decided, or take it back with "
                    + "'waggle matching cancel'.")
        case .confirming:
            .conflict(
                "You confirmed another match; wait until their device has answered, or take it "
                    + "back with 'waggle matching cancel'.")
        case .tooMany: .refused("You have asked many people already; take a request back first.")
        case .oneself: .refused("This is you; a match is with another person.")
        }
    }
}
