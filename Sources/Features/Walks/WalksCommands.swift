internal import FeaturesAPI
internal import PluginKit

extension Walks {
    static let commands: [CommandHandler] = [
        CoreFeatures.handle(WalkCommands.ask) { core, request in
            try await core.walks.ask(request)
        },
        CoreFeatures.handle(WalkCommands.accept) { core, request in
            try await core.walks.answer(request.id, .accepted)
        },
        CoreFeatures.handle(WalkCommands.decline) { core, request in
            try await core.walks.answer(request.id, .declined)
        },
        CoreFeatures.handle(WalkCommands.cancel) { core, request in
            try await core.walks.cancel(request.id)
        },
        CoreFeatures.handle(WalkCommands.note) { core, request in
            try await core.walks.writeNote(request)
        },
        CoreFeatures.handle(WalkCommands.erase) { core, request in
            try await core.walks.erase(request.id)
        },
        CoreFeatures.handle(WalkCommands.export) { core, request in
            try await core.walks.export(request)
        },
        CoreFeatures.handle(WalkCommands.list) { core, _ in try await core.walks.list() },
    ]
}
