internal import FeaturesAPI
internal import PluginKit

extension Inbox {
    static let commands: [CommandHandler] = [
        CoreFeatures.handle(InboxCommands.list) { core, _ in try await core.inbox.list() },
        CoreFeatures.handle(InboxCommands.handle) { core, request in
            try await core.inbox.handle(request.id)
        },
    ]
}
