internal import FeaturesAPI
internal import PluginKit

extension Groups {
    static let commands: [CommandHandler] = [
        CoreFeatures.handle(GroupCommands.create) { core, request in
            try await core.groups.create(request.name)
        },
        CoreFeatures.handle(GroupCommands.list) { core, _ in try await core.groups.list() },
        CoreFeatures.handle(GroupCommands.show) { core, request in
            try await core.groups.show(request.group)
        },
        CoreFeatures.handle(GroupCommands.note) { core, request in
            try await core.groups.writeNote(request)
        },
        CoreFeatures.handle(GroupCommands.erase) { core, request in
            try await core.groups.eraseNote(request.note, in: request.group)
        },
        CoreFeatures.handle(GroupCommands.invite) { core, request in
            try await core.groups.invite(request)
        },
        CoreFeatures.handle(GroupCommands.accept) { core, request in
            try await core.groups.accept(request.group)
        },
        CoreFeatures.handle(GroupCommands.decline) { core, request in
            try await core.groups.leave(request.group, from: .invited)
        },
        CoreFeatures.handle(GroupCommands.leave) { core, request in
            try await core.groups.leave(request.group, from: .member)
        },
        CoreFeatures.handle(GroupCommands.remove) { core, request in
            try await core.groups.remove(request.person, from: request.group)
        },
    ]
}
