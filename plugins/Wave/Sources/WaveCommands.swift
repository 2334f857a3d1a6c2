public import PluginKit

extension Wave {
    /// What people and programs can do with waves.
    public static let commands = [
        Command(
            CommandDeclaration(
                "wave", "send", .action, help: "Waves at a mate.",
                parameters: [
                    .required("to", .text, "The mate's key.", positional: true),
                    .optional("greeting", .text, "A few words, up to 200 bytes."),
                ], result: .object(["id": .text])),
            of: Wave.self
        ) { try await $0.send($1) },
        Command(
            CommandDeclaration(
                "wave", "list", .query, help: "Lists waves, newest first.",
                result: .object([
                    "waves": .list(
                        .object(["id": .text, "from": .text, "greeting": .text, "atMs": .integer]))
                ])),
            of: Wave.self
        ) { wave, _ in try await wave.list() },
    ]

    private func send(_ arguments: Arguments) async throws -> JSONValue {
        let text = try arguments.text("to")
        guard let person = PersonID(text) else {
            throw CommandFault.usage("A mate is named by 64 hexadecimal digits.", field: "to")
        }
        let greeting = arguments["greeting"]?.string ?? "Hello!"
        guard greeting.utf8.count <= Self.greetingBytesMax else {
            throw CommandFault.usage(
                "A greeting has at most \(Self.greetingBytesMax) bytes.", field: "greeting")
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
                        "at_ms": .integer(context.clock.wallMilliseconds),
                    ])
            ], in: .between(context.me, person))
        return ["id": .string(ids.first?.description ?? "")]
    }

    private func list() async throws -> JSONValue {
        let rows = try await context.replica.rows(
            "SELECT * FROM wave_waves ORDER BY at_ms DESC LIMIT ?", [.integer(Self.listedCountMax)])
        let waves = rows.compactMap { row -> JSONValue? in
            guard let id = row.entity("entity"), let from = row.person("creator"),
                let greeting = row.text("greeting"), let atMs = row.integer("at_ms")
            else { return nil }
            return [
                "id": .string(id.description), "from": .string(from.description),
                "greeting": .string(greeting), "atMs": .integer(atMs),
            ]
        }
        return ["waves": .array(waves)]
    }
}
