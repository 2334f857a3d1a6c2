import PluginKit

/// The commands of the measurements.
enum FieldsCommands {
    static let begin = Command<NoParameters, BegunRecord>(
        .action, "fields", "begin", help: "Begins a record and returns its id.")
    static let write = Command<WriteFields, WriteTimes>(
        .action, "fields", "write",
        help: "Writes one field repeatedly; returns the start time of each write.")
    static let arrivals = Command<NoParameters, ArrivalTimes>(
        .query, "fields", "arrivals",
        help: "The times of the changes and of the last new link, in nanoseconds.")
    static let addPhotos = Command<AddPhotos, Photos>(
        .action, "fields", "add-photos", help: "Writes records with photos.")
    static let fetchPhotos = Command<NoParameters, Photos>(
        .query, "fields", "fetch-photos", help: "Looks for all photos, and fetches the others.")
    static let photoArrivals = Command<NoParameters, Photos>(
        .query, "fields", "photo-arrivals",
        help: "The times at which photos arrived, in nanoseconds.")
    static let state = Command<NoParameters, FieldsState>(
        .query, "fields", "state", help: "The workload's fields in the table.")
}

/// The answer of `fields begin`.
struct BegunRecord: Codable, Sendable {
    let id: RecordKey
}

/// The request of `fields write`.
struct WriteFields: CommandRequest {
    let id: RecordKey
    let count: Whole<0, 1_000_000>
    let pauseMicroseconds: Whole<0, 60_000_000>

    static let help = [
        "id": "The record.", "count": "The number of writes.",
        "pauseMicroseconds": "The pause after each write.",
    ]
}

/// The answer of `fields write`: when each write began and when it was done, in nanoseconds.
struct WriteTimes: Codable, Sendable {
    var at: [Int64] = []
    var done: [Int64] = []
}

/// The answer of `fields arrivals`, in nanoseconds.
struct ArrivalTimes: Codable, Sendable {
    var at: [Int64] = []
    /// The number of the newest write at each arrival, or -1.
    var writes: [Int64] = []
    /// When the last link came up.
    var link: Int64 = 0
}

/// The answer of `fields state`.
struct FieldsState: Codable, Sendable {
    let fields: Int
    let hash: String
    /// Whether this is the correct final state of the workload.
    let right: Bool
}

/// The request of `fields add-photos`.
struct AddPhotos: CommandRequest {
    let count: Whole<1, 1_000_000>
    let bytes: Whole<1, 16_777_216>

    static let help = ["count": "The number of photos.", "bytes": "The length of each."]
}

/// The photos that records name, and those that are here.
struct Photos: Codable, Sendable {
    var named: Int
    var here: Int
    /// When the look began, or when photos arrived since the last report, in nanoseconds.
    var at: [Int64] = []
}
