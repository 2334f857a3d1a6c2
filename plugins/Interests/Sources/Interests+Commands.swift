internal import InterestsAPI
public import PluginKit

extension Interests {
    /// The functions that perform the commands.
    public static let commands: [CommandHandler] = [
        handle(InterestsCommands.list) { plugin, request in await plugin.list(request) },
        handle(InterestsCommands.choose) { plugin, request in try await plugin.choose(request) },
        handle(InterestsCommands.show) { plugin, _ in try await plugin.status() },
        handle(InterestsCommands.look) { plugin, _ in
            try await plugin.startLooking()
            return try await plugin.status()
        },
        handle(InterestsCommands.stop) { plugin, _ in
            try await plugin.stopLooking()
            return try await plugin.status()
        },
        handle(InterestsCommands.met) { plugin, _ in
            try await plugin.meetMatch()
            return try await plugin.status()
        },
        handle(InterestsCommands.watch) { plugin, _ in try await plugin.status() },
    ]

    private func list(_ request: ListInterests) -> InterestList {
        let mine = Set(mine)
        return InterestList(
            interests: Interest.found(by: request.find?.string ?? "").map {
                InterestList.Entry($0, isChosen: mine.contains($0))
            })
    }

    private func choose(_ request: ChooseInterests) async throws -> InterestsStatus {
        let words = request.interest.interests.map { Value.text($0.rawValue) }
        try await context.replica.author(
            [.own(collection: Self.choice.name, fields: ["words": .list(words)])],
            in: .own(context.me))
        try await readChoice()
        return try await status()
    }

    /// Returns my interests, and the match.
    private func status() async throws -> InterestsStatus {
        guard let left = timeLeft else { return InterestsStatus(chosen: mine) }
        let match = finder.match
        let names = match == nil ? [:] : try await context.core.namesNearby()
        var isMate = false
        if let person = match?.someone.person {
            isMate = try await context.core.relation(to: person) == .mate
        }
        var metres = match?.someone.distanceMetres
        if let match { metres = try await measuredMetres(to: match) ?? metres }
        return InterestsStatus(
            chosen: mine, secondsLeft: left.secondsRoundedUp, lookingCount: finder.lookingCount,
            match: match.map {
                InterestsStatus.Match($0, names: names, isMate: isMate, metres: metres)
            })
    }
}

extension InterestsStatus.Match {
    /// The match in an answer.
    /// - Parameters:
    ///   - names: the names of people nearby, by the digits of their device or tag.
    ///   - metres: the distance.
    fileprivate init(
        _ match: MatchFinder.Match, names: [String: String], isMate: Bool, metres: Double?
    ) {
        let (device, tag) = (match.someone.device, match.someone.tag)
        let digits = [device?.description, tag?.string].compactMap { $0 }
        self.init(
            device: device.map { Key($0) }, tag: tag,
            name: digits.lazy.compactMap { names[$0] }.first, isMate: isMate,
            common: match.common, sinceMs: match.since,
            distanceMetres: metres)
    }
}
