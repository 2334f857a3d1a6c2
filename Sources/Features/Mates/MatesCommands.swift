internal import FeaturesAPI
internal import PluginKit

extension Mates {
    static let commands: [CommandHandler] = [
        CoreFeatures.handle(MateCommands.list) { core, _ in try await core.mates.list() },
        CoreFeatures.handle(MateCommands.photo) { core, request in
            try await core.profiles.photos.show(
                core.person(request.person), withThumbnail: request.thumbnail ?? false)
        },
        CoreFeatures.handle(MateCommands.export) { core, request in
            let contact = try await core.contact(of: core.person(request.person))
            return try await core.context.files.save(contact.vCard, to: request.vcard)
        },
        CoreFeatures.handle(MateCommands.remove) { core, request in
            try await core.mates.unmate(core.person(request.person))
            return Done()
        },
        CoreFeatures.handle(MateCommands.rename) { core, request in
            try await core.mates.rename(core.person(request.person), to: request.as)
            return Done()
        },
        CoreFeatures.handle(MateCommands.block) { core, request in
            try await core.mates.block(
                core.someone(request.person), because: request.reason, text: request.text)
            return Done()
        },
        CoreFeatures.handle(MateCommands.unblock) { core, request in
            try await core.mates.blocks.remove(request.person)
            return Done()
        },
        CoreFeatures.handle(MateCommands.blocked) { core, _ in
            try await core.mates.blocks.list()
        },
    ]
}
