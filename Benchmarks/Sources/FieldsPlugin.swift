import Glibc
import PluginKit
import Records
import Synchronization

/// The plugin of the measurements: a collection of ten texts, and commands that write, report
/// arrivals, and return the table.
struct FieldsPlugin: Plugin {
    static let manifest = Manifest(id: "fields", version: 1, collections: [fields])

    /// Ten texts that merge by the last write.
    static let fields = RecordCollection(
        "fields.record/1", table: "fields_records", spaces: [.own],
        fields: (0..<Workload.fieldsCount).map {
            .init(UInt64($0 + 1), "f\($0)", .text(bytesMax: 64))
        })

    let context: PluginContext
    /// The start times of the deliveries of changes, on the clock that all processes share.
    private let arrivals = Arrivals()

    init(context: PluginContext) { self.context = context }

    func applied(_ changes: [RecordChange]) async throws {
        let now = SharedClock.nanoseconds
        let isOne = changes.count == 1
        arrivals.record(now, write: isOne ? try await newestWrite(of: changes[0].entity) : -1)
    }

    /// Returns the number of the newest write in a record, which is its first field.
    private func newestWrite(of entity: EntityID) async throws -> Int64 {
        let rows = try await context.replica.rows(
            "SELECT f0 FROM fields_records WHERE entity = ?", [.bytes(entity.bytes)])
        return rows.first?.text("f0").flatMap { Int64($0, radix: 16) } ?? -1
    }

    func linkChanged(_ peer: Peer, isUp: Bool) async throws { if isUp { arrivals.recordLink() } }

    static let commands: [CommandHandler] = [
        handle(FieldsCommands.begin) { plugin, _ in try await plugin.begin() },
        handle(FieldsCommands.write) { plugin, request in try await plugin.write(request) },
        handle(FieldsCommands.arrivals) { plugin, _ in plugin.arrivals.report() },
        handle(FieldsCommands.state) { plugin, _ in
            try await FinalState.read { try await plugin.context.replica.rows($0) }.answer
        },
    ]

    private var space: SpaceDescriptor { .own(context.me) }

    private func begin() async throws -> BegunRecord {
        let edit = Edit.create(
            collection: Self.fields.name, nonce: context.random.nonce(), fields: [:])
        let ids = try await context.replica.author([edit], in: space)
        guard let id = ids.first else { throw CommandFault.failed("The record was not stored.") }
        return BegunRecord(id: RecordKey(id))
    }

    private func write(_ request: WriteFields) async throws -> WriteTimes {
        let pause = Duration.microseconds(request.pauseMicroseconds.value)
        var times = WriteTimes()
        for number in 0..<request.count.value {
            let value = Value.text(Workload.hexadecimal(UInt64(number)))
            times.at.append(SharedClock.nanoseconds)
            try await context.replica.author(
                [
                    .set(
                        collection: Self.fields.name, entity: EntityID(request.id),
                        fields: ["f0": value])
                ], in: space)
            times.done.append(SharedClock.nanoseconds)
            try await context.clock.sleep(for: pause)
        }
        return times
    }
}

/// The times of arrivals.
private final class Arrivals: Sendable {
    private let state = Mutex(ArrivalTimes())

    /// Records an arrival.
    /// - Parameter write: the number of the newest write that has arrived, or -1.
    func record(_ now: Int64, write: Int64) {
        state.withLock { state in
            state.at.append(now)
            state.writes.append(write)
        }
    }

    func recordLink() {
        let now = SharedClock.nanoseconds
        state.withLock { $0.link = now }
    }

    /// Returns the arrivals since the last report.
    func report() -> ArrivalTimes {
        state.withLock { state in
            defer { (state.at, state.writes) = ([], []) }
            return state
        }
    }
}

/// The monotonic clock, which all processes of a machine share.
enum SharedClock {
    /// The nanoseconds since an arbitrary start.
    static var nanoseconds: Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
