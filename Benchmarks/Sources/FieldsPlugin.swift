import Glibc
import PluginKit
import Records
import Synchronization

/// The plugin of the measurements: one declared collection of ten texts, and commands that write,
/// say when something arrived, and show what the table holds.
struct FieldsPlugin: Plugin {
    static let manifest = Manifest(id: "fields", version: 1, collections: [fields])

    /// Ten texts, of each of which the last write stands.
    static let fields = RecordCollection(
        "fields.record/1", table: "fields_records", spaces: [.own],
        fields: (0..<Workload.fieldsCount).map {
            .init(UInt64($0 + 1), "f\($0)", .text(bytesMax: 64))
        })

    let context: PluginContext
    /// When each hand-over of changes began, on the clock that all processes share.
    private let arrivals = Arrivals()

    init(context: PluginContext) { self.context = context }

    func applied(_ changes: [RecordChange]) async throws {
        let now = SharedClock.nanoseconds
        let isOne = changes.count == 1
        arrivals.note(now, write: isOne ? try await newestWrite(of: changes[0].entity) : -1)
    }

    /// Which write a record shows: the number that stands in its first field.
    private func newestWrite(of entity: EntityID) async throws -> Int64 {
        let rows = try await context.replica.rows(
            "SELECT f0 FROM fields_records WHERE entity = ?", [.bytes(entity.bytes)])
        return rows.first?.text("f0").flatMap { Int64($0, radix: 16) } ?? -1
    }

    func linkChanged(_ peer: Peer, isUp: Bool) async throws { if isUp { arrivals.noteLink() } }

    static let commands = [
        Command(
            CommandDeclaration(
                "fields", "begin", .action, help: "Begins a record and returns its id.",
                result: .object(["id": .text])),
            of: FieldsPlugin.self
        ) { plugin, _ in try await plugin.begin() },
        Command(
            CommandDeclaration(
                "fields", "write", .action,
                help: "Writes one field again and again; returns when each write began.",
                parameters: [
                    .required("id", .text, "The record."),
                    .required("count", .integer, "How often."),
                    .required("pauseMicroseconds", .integer, "How long to wait after each."),
                ], result: .object(["at": .list(.integer), "done": .list(.integer)])),
            of: FieldsPlugin.self
        ) { try await $0.write($1) },
        Command(
            CommandDeclaration(
                "fields", "arrivals", .query,
                help: "When changes were handed over and the last link came up, in nanoseconds.",
                result: .object([
                    "at": .list(.integer), "writes": .list(.integer), "link": .integer,
                ])),
            of: FieldsPlugin.self
        ) { plugin, _ in plugin.arrivals.report() },
        Command(
            CommandDeclaration(
                "fields", "state", .query, help: "The workload's fields as the table has them.",
                result: .object(["fields": .integer, "hash": .text])),
            of: FieldsPlugin.self
        ) { plugin, _ in
            try await FinalState.read { try await plugin.context.replica.rows($0) }.json
        },
    ]

    private var space: SpaceDescriptor { .own(context.me) }

    private func begin() async throws -> JSONValue {
        let edit = Edit.create(
            collection: Self.fields.name, nonce: context.random.nonce(), fields: [:])
        let ids = try await context.replica.author([edit], in: space)
        return ["id": .string(ids.first?.description ?? "")]
    }

    private func write(_ arguments: Arguments) async throws -> JSONValue {
        guard let entity = EntityID(try arguments.text("id")) else {
            throw CommandFault.usage("A record is named by 32 hexadecimal digits.", field: "id")
        }
        let count = Int(try arguments.number("count"))
        let pause = Duration.microseconds(Int64(try arguments.number("pauseMicroseconds")))
        var began: [JSONValue] = []
        var done: [JSONValue] = []
        for number in 0..<count {
            let value = Value.text(Workload.hexadecimal(UInt64(number)))
            began.append(.integer(SharedClock.nanoseconds))
            try await context.replica.author(
                [.set(collection: Self.fields.name, entity: entity, fields: ["f0": value])],
                in: space)
            done.append(.integer(SharedClock.nanoseconds))
            try await context.clock.sleep(for: pause)
        }
        return ["at": .array(began), "done": .array(done)]
    }
}

/// When things arrived.
private final class Arrivals: Sendable {
    private struct State {
        var at: [Int64] = []
        var writes: [Int64] = []
        var link: Int64 = 0
    }

    private let state = Mutex(State())

    /// - Parameter write: the number of the newest write that has arrived, or -1.
    func note(_ now: Int64, write: Int64) {
        state.withLock { state in
            state.at.append(now)
            state.writes.append(write)
        }
    }

    func noteLink() {
        let now = SharedClock.nanoseconds
        state.withLock { $0.link = now }
    }

    /// What was noted since the last report.
    func report() -> JSONValue {
        state.withLock { state in
            defer { (state.at, state.writes) = ([], []) }
            return [
                "at": .array(state.at.map { .integer($0) }),
                "writes": .array(state.writes.map { .integer($0) }),
                "link": .integer(state.link),
            ]
        }
    }
}

/// The monotonic clock, which all processes of a machine share.
enum SharedClock {
    /// Nanoseconds since an arbitrary start.
    static var nanoseconds: Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
