internal import FeaturesAPI
internal import PluginKit

extension Profiles {
    static let commands: [CommandHandler] = [
        CoreFeatures.handle(ProfileCommands.show) { core, _ in
            try await core.profiles.showMe()
        },
        CoreFeatures.handle(ProfileCommands.edit) { core, request in
            try await core.profiles.editMe(request)
        },
        CoreFeatures.handle(ProfileCommands.photo) { core, request in
            try await core.profiles.changePhoto(request)
        },
        CoreFeatures.handle(ProfileCommands.import) { core, request in
            try await core.profiles.importContact(request)
        },
    ]
}
