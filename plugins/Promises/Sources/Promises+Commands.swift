public import PluginKit
internal import PromisesAPI

extension Promises {
    /// The functions that perform the commands.
    public static let commands: [CommandHandler] = [
        handle(PromiseCommands.create) { try await $0.create($1) },
        handle(PromiseCommands.edit) { try await $0.edit($1) },
        handle(PromiseCommands.invite) { try await $0.invite($1) },
        handle(PromiseCommands.delete) { try await $0.delete($1) },
        handle(PromiseCommands.accept) { try await $0.accept($1) },
        handle(PromiseCommands.confirm) { try await $0.confirm($1) },
        handle(PromiseCommands.leave) { try await $0.leave($1) },
        handle(PromiseCommands.share) { try await $0.resumeSharing($1) },
        handle(PromiseCommands.stop) { try await $0.stopSharing($1) },
        handle(PromiseCommands.list) { try await $0.list($1) },
        handle(PromiseCommands.show) { try await $0.show($1) },
        handle(PromiseCommands.draft) { promises, request in
            PromiseDraft(try await promises.event(in: request.file))
        },
        handle(PromiseCommands.export) { try await $0.export($1) },
        handle(PromiseCommands.today) { promises, _ in try await promises.today() },
        handle(PromiseCommands.result) { try await $0.result($1) },
        handle(PromiseCommands.ledger) { promises, _ in try await promises.showLedger() },
    ]
}
