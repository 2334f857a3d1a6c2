public import PluginKit
internal import WaveAPI

extension Wave {
    /// The functions that perform the commands.
    public static let commands: [CommandHandler] = [
        handle(WaveCommands.send) { wave, request in try await wave.send(request) },
        handle(WaveCommands.list) { wave, _ in try await wave.list() },
    ]

    private func send(_ request: SendWave) async throws -> SentWave {
        let person = try await context.core.person(request.to)
        let greeting = request.greeting?.string ?? "Hello!"
        guard greeting.utf8.count <= Self.greetingBytesMax else {
            throw CommandFault.refused(
                "A greeting has at most \(Self.greetingBytesMax) bytes of UTF-8.")
        }
        guard try await context.core.relation(to: person) == .mate else {
            throw CommandFault.refused("You can wave at mates only.")
        }
        let ids = try await context.replica.author(
            [
                .create(
                    collection: Self.waves.name, nonce: context.random.nonce(),
                    fields: [
                        "greeting": .text(greeting),
                        "at_ms": .integer(context.clock.wallTime.milliseconds),
                    ])
            ], in: .between(context.me, person))
        guard let id = ids.first else { throw CommandFault.failed("The wave was not stored.") }
        return SentWave(id: RecordKey(id))
    }

    private func list() async throws -> WaveList {
        let rows = try await context.replica.rows(
            "SELECT * FROM wave_waves ORDER BY at_ms DESC LIMIT ?", [.integer(Self.listedCountMax)])
        return WaveList(
            waves: rows.compactMap { row in
                guard let id = row.entity("entity"), let from = row.person("creator"),
                    let greeting = row.text("greeting"), let atMs = row.integer("at_ms")
                else { return nil }
                return WaveList.Wave(
                    id: RecordKey(id), from: Key(from), greeting: greeting,
                    atMs: Timestamp(milliseconds: atMs))
            })
    }
}
