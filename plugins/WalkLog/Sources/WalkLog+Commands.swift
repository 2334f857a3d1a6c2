public import PluginKit
internal import WalkLogAPI

extension WalkLog {
    /// The functions that perform the commands.
    public static let commands: [CommandHandler] = [
        handle(WalkLogCommands.start) { try await $0.start($1) },
        handle(WalkLogCommands.pause) { log, _ in try await log.pause() },
        handle(WalkLogCommands.resume) { log, _ in try await log.resume() },
        handle(WalkLogCommands.finish) { log, _ in try await log.finish() },
        handle(WalkLogCommands.discard) { log, _ in try await log.discard() },
        handle(WalkLogCommands.status) { log, _ in try await log.status() },
        handle(WalkLogCommands.list) { try await $0.list($1) },
        handle(WalkLogCommands.show) { try await $0.show($1) },
        handle(WalkLogCommands.track) { try await $0.track($1) },
        handle(WalkLogCommands.delete) { try await $0.delete($1) },
        handle(WalkLogCommands.totals) { log, _ in try await log.totals() },
        handle(WalkLogCommands.share) { try await $0.share($1) },
        handle(WalkLogCommands.unshare) { try await $0.unshare($1) },
        handle(WalkLogCommands.shared) { log, _ in try await log.shared() },
        handle(WalkLogCommands.way) { try await $0.way($1) },
        handle(WalkLogCommands.export) { try await $0.export($1) },
        handle(WalkLogCommands.load) { try await $0.load($1) },
        handle(WalkLogCommands.weigh) { try await $0.weigh($1) },
    ]
}
