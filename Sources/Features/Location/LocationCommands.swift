internal import FeaturesAPI
internal import PluginKit

extension LocationSharing {
    static let commands: [CommandHandler] = [
        CoreFeatures.handle(LocationCommands.show) { core, _ in
            try await core.location.show()
        },
        CoreFeatures.handle(LocationCommands.set) { core, request in
            try await core.location.set(request)
        },
        CoreFeatures.handle(LocationCommands.clear) { core, _ in
            try await core.location.clear()
        },
        CoreFeatures.handle(LocationCommands.source) { core, request in
            try await core.location.choose(request)
        },
    ]
}
