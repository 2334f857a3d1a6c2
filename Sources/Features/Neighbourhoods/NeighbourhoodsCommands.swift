internal import FeaturesAPI
internal import PluginKit

extension Neighbourhoods {
    static let commands: [CommandHandler] = [
        CoreFeatures.handle(NeighbourhoodCommands.join) { core, request in
            try await core.neighbourhoods.join(request.name, isMeant: request.yes ?? false)
        },
        CoreFeatures.handle(NeighbourhoodCommands.leave) { core, request in
            try await core.neighbourhoods.leave(request.name)
        },
        CoreFeatures.handle(NeighbourhoodCommands.list) { core, _ in
            try await core.neighbourhoods.list()
        },
    ]
}
