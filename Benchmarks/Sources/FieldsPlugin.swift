import Glibc
import PluginKit
import Records
import Synchronization

/// The plugin of the measurements: a collection of ten texts, and commands that write, report
/// arrivals, and return the table.
struct FieldsPlugin: Plugin {
    static let manifest = Manifest(id: "fields", version: 1, collections: [fields, photos])

    /// Ten texts that merge by the last write.
    static let fields = RecordCollection(
        "fields.record/1", table: "fields_records", spaces: [.own],
        fields: (0..<Workload.fieldsCount).map {
            .init(UInt64($0 + 1), "f\($0)", .text(bytesMax: 64))
        })

    /// Photos of a length.
    static let photos = RecordCollection(
        "fields.photo/1", table: "fields_photos", spaces: [.own],
        fields: [.init(1, "photo", .blob(kinds: [photoKind], bytesMax: Limits.blobBytesMax))])

    private static let photoKind = "image/jpeg"

    let context: PluginContext
    /// The arrivals of photos that were asked for.
    private let photoArrivals = Arrivals()
    /// The photos that were found here, each with its hash.
    private let found = FoundPhotos()
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

    func contentArrived(_ blob: Blob, in space: SpaceDescriptor) async throws {
        photoArrivals.record(SharedClock.nanoseconds, write: 0)
    }

    static let commands: [CommandHandler] = [
        handle(FieldsCommands.addPhotos) { plugin, request in try await plugin.add(request) },
        handle(FieldsCommands.fetchPhotos) { plugin, _ in try await plugin.fetchPhotos() },
        handle(FieldsCommands.photoArrivals) { plugin, _ in try await plugin.arrivedPhotos() },
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

    private func add(_ request: AddPhotos) async throws -> Photos {
        for number in 0..<request.count.value {
            // A photo does not compress, and no two are equal.
            var mixed = SplitMix(seed: UInt64(SharedClock.nanoseconds) &+ UInt64(number))
            var content: [UInt8] = []
            content.reserveCapacity(request.bytes.value + 8)
            while content.count < request.bytes.value { content.append(bigEndian: mixed.next()) }
            content.removeLast(content.count - request.bytes.value)
            let photo = try await context.blobs.put(content, kind: Self.photoKind, in: space)
            try await context.replica.author(
                [
                    .create(
                        collection: Self.photos.name, nonce: context.random.nonce(),
                        fields: ["photo": photo.value])
                ], in: space)
        }
        return Photos(named: request.count.value, here: request.count.value)
    }

    /// Looks for all photos that were not found before, which fetches those that are not here.
    private func fetchPhotos() async throws -> Photos {
        let rows = try await context.replica.rows("SELECT photo FROM fields_photos")
        let missing = rows.compactMap { $0.blob("photo") }.filter { !found.contains($0) }
        let began = SharedClock.nanoseconds
        for blob in missing where try await context.blobs.find(blob, in: space) != nil {
            found.insert(blob)
        }
        return Photos(named: rows.count, here: found.count, at: [began])
    }

    private func arrivedPhotos() async throws -> Photos {
        let rows = try await context.replica.rows("SELECT count(*) AS named FROM fields_photos")
        let named = rows.first?.integer("named") ?? 0
        return Photos(named: Int(named), here: 0, at: photoArrivals.report().at)
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

/// Photos that were found.
private final class FoundPhotos: Sendable {
    private let photos = Mutex<Set<Blob>>([])

    var count: Int { photos.withLock { $0.count } }

    func contains(_ blob: Blob) -> Bool { photos.withLock { $0.contains(blob) } }

    func insert(_ blob: Blob) { photos.withLock { _ = $0.insert(blob) } }
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
