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
        let names = finder.match == nil ? [:] : try await context.core.namesNearby()
        return InterestsStatus(
            chosen: mine, secondsLeft: left.secondsRoundedUp, lookingCount: finder.lookingCount,
            match: finder.match.map { match in
                let (device, tag) = (match.someone.device, match.someone.tag)
                let name = [device?.description, tag?.string].lazy.compactMap { digits in
                    digits.flatMap { names[$0] }
                }.first
                return InterestsStatus.Match(
                    device: device.map { Key($0) }, tag: tag, name: name, common: match.common,
                    sinceMs: match.since, distanceMetres: match.someone.distanceMetres)
            })
    }
}
