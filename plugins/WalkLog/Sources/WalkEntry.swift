internal import PluginKit

/// An entry of the journal of a recording: a change of its state, or a point.
///
/// The encoding is a version byte (1), a byte for the event, the elapsed time in milliseconds, the
/// time of the entry in milliseconds since 1970 and the number of spikes as varints, and then what
/// the event has.
struct WalkEntry: Hashable, Sendable {
    /// The reason for the entry.
    enum Event: Hashable, Sendable {
        /// The recording began.
        case begun(WalkBeginning)
        /// A point was recorded, this long after the one before it.
        case point(TrackPoint, step: Duration)
        /// The recording goes on.
        case alive
        /// The recording was paused.
        case paused
        /// The recording goes on after a pause or an interruption.
        case resumed
    }

    let event: Event
    /// The time since the beginning without pauses, up to ``WalkLimits/elapsedMax``.
    let elapsed: Duration
    /// The time of the entry.
    let at: Timestamp
    /// The number of spikes that were dropped so far.
    let spikesCount: Int

    /// Creates an entry from its parts.
    init(_ event: Event, elapsed: Duration, at: Timestamp, spikesCount: Int) {
        self.event = event
        self.elapsed = elapsed
        self.at = at
        self.spikesCount = spikesCount
    }

    private static let version: UInt8 = 1
    /// The most spikes that an entry can count; a source reports far fewer in six hours.
    private static let spikesCountMax = 10_000_000

    private enum Kind: UInt8 { case begun = 1, point, alive, paused, resumed }

    private var kind: Kind {
        switch event {
        case .begun: .begun
        case .point: .point
        case .alive: .alive
        case .paused: .paused
        case .resumed: .resumed
        }
    }

    /// The bytes of the entry.
    var encoded: [UInt8] {
        var bytes: [UInt8] = [Self.version, kind.rawValue]
        bytes.append(varint: UInt64(max(0, elapsed.milliseconds)))
        bytes.append(varint: UInt64(at.milliseconds))
        bytes.append(varint: UInt64(min(max(0, spikesCount), Self.spikesCountMax)))
        switch event {
        case .begun(let beginning): beginning.append(to: &bytes)
        case .point(let point, let step):
            bytes.append(zigzag: Int64(point.latitudeE7))
            bytes.append(zigzag: Int64(point.longitudeE7))
            bytes.append(varint: UInt64(point.at.milliseconds))
            bytes.append(varint: UInt64(max(0, step.milliseconds)))
            bytes.append(point.startsSegment ? 1 : 0)
        case .alive, .paused, .resumed: break
        }
        return bytes
    }

    /// Reads exactly one entry; nil if the bytes are not one.
    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let entry = try? Self.read(&reader), reader.isAtEnd else { return nil }
        self = entry
    }

    private static func read(_ reader: inout ByteReader) throws -> WalkEntry? {
        guard try reader.byte() == version, let kind = Kind(rawValue: try reader.byte()) else {
            return nil
        }
        let elapsed = Duration.milliseconds(
            try reader.count("an elapsed time", limit: Int(WalkLimits.elapsedMax.milliseconds)))
        guard let at = Timestamp(exactly: try reader.varint()) else { return nil }
        let spikesCount = try reader.count("spikes", limit: spikesCountMax)
        guard let event = try event(kind, &reader) else { return nil }
        return WalkEntry(event, elapsed: elapsed, at: at, spikesCount: spikesCount)
    }

    private static func event(_ kind: Kind, _ reader: inout ByteReader) throws -> Event? {
        switch kind {
        case .begun: try WalkBeginning(&reader).map(Event.begun)
        case .point: try point(&reader)
        case .alive: .alive
        case .paused: .paused
        case .resumed: .resumed
        }
    }

    private static func point(_ reader: inout ByteReader) throws -> Event? {
        let (latitude, longitude) = (try reader.zigzag(), try reader.zigzag())
        let at = Timestamp(exactly: try reader.varint())
        let step = Timestamp(exactly: try reader.varint())
        let flag = try reader.byte()
        guard let at, let step, flag <= 1,
            let point = TrackPoint(
                latitudeE7: latitude, longitudeE7: longitude, at: at, startsSegment: flag == 1)
        else { return nil }
        return .point(point, step: step - .min)
    }
}

extension WalkBeginning {
    /// Appends the recording, the time, the dogs, the people and the request.
    fileprivate func append(to bytes: inout [UInt8]) {
        recording.append(to: &bytes)
        bytes.append(varint: UInt64(started.milliseconds))
        bytes.append(varint: UInt64(dogs.count))
        for dog in dogs { bytes.append(text: dog) }
        bytes.append(varint: UInt64(people.count))
        for person in people { bytes.append(contentsOf: person.bytes) }
        bytes.append(request == nil ? 0 : 1)
        if let request { bytes.append(contentsOf: request.bytes) }
    }

    /// Reads a beginning; nil if the bytes are none.
    fileprivate init?(_ reader: inout ByteReader) throws {
        guard let recording = Bytes16(try reader.bytes(16)),
            let started = Timestamp(exactly: try reader.varint())
        else { return nil }
        let dogsCount = try reader.count("dogs", limit: WalkLimits.dogsCountMax)
        var dogs: [String] = []
        for _ in 0..<dogsCount {
            dogs.append(try reader.text("a dog's name", limit: WalkLimits.dogNameBytesMax))
        }
        let peopleCount = try reader.count("people", limit: WalkLimits.peopleCountMax)
        var people: [PersonID] = []
        for _ in 0..<peopleCount { people.append(try reader.identifier(PersonID.self)) }
        var request: EntityID?
        switch try reader.byte() {
        case 0: break
        case 1: request = try reader.identifier(EntityID.self)
        default: return nil
        }
        self.init(
            recording: recording, started: started, dogs: dogs, people: people, request: request)
    }
}
