internal import FeaturesAPI
internal import PluginKit

extension Nearby {
    static let commands: [CommandHandler] = [
        CoreFeatures.handle(NearbyCommands.list) { core, _ in try await core.nearby.list() },
        CoreFeatures.handle(NearbyCommands.visibility) { core, _ in
            await core.nearby.visibility()
        },
        CoreFeatures.handle(NearbyCommands.showToEveryone) { core, _ in
            try await core.nearby.showToEveryone()
        },
        CoreFeatures.handle(NearbyCommands.showToMates) { core, _ in
            try await core.nearby.showToMates()
        },
    ]
}
