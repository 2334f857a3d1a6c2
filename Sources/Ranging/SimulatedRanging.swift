internal import Foundation

/// Measurements between the hosts of a test, computed from where they stand. All hosts read the
/// same file:
///
///     {"seconds": 0, "device": "…64 digits…", "east": 0, "north": 0, "facingDegrees": 90}
///     {"seconds": 5, "device": "…64 digits…", "east": 0.12, "north": 0}
///
/// `east` and `north` are metres, and `facingDegrees` is where the host points, from north and
/// clockwise; a host without it measures no direction. A host stays where its last line put it.
public struct SimulatedRanging: RangingSource {
    /// The uncertainty of all measurements, in metres.
    public static let uncertaintyMetres = 0.01
    /// The time between two measurements of the same device.
    public static let interval = Duration.milliseconds(100)

    private let me: DeviceID
    private let moves: [(after: Duration, device: DeviceID, place: Place)]
    private let uptime: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    fileprivate struct Line: RangingLine {
        let seconds: Double
        let device: String
        let east: Double
        let north: Double
        let facingDegrees: Double?
    }

    fileprivate struct Place {
        let east: Double
        let north: Double
        let facingDegrees: Double?
    }

    /// Reads the positions of the hosts.
    /// - Parameters:
    ///   - me: this host.
    ///   - uptime: a clock that never goes backwards.
    ///   - sleep: waits this long, or throws when the task is cancelled.
    /// - Throws: ``RangingFileFault``.
    public init(
        lines bytes: [UInt8], me: DeviceID, uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) throws(RangingFileFault) {
        let lines = try RangingLines.read(bytes, as: Line.self)
        moves = lines.map { after, device, line in
            let place = Place(
                east: line.east, north: line.north, facingDegrees: line.facingDegrees)
            return (after, device, place)
        }
        self.me = me
        self.uptime = uptime
        self.sleep = sleep
    }

    /// Reports all other hosts ten times a second until the task is cancelled.
    public func run(
        _ changes: AsyncStream<RangingChange>, _ tell: @Sendable (RangingNews) async -> Void
    ) async throws {
        let began = uptime()
        var places: [DeviceID: Place] = [:]
        var waiting = moves[...]
        while true {
            try Task.checkCancellation()
            while let move = waiting.first, began + move.after <= uptime() {
                places[move.device] = move.place
                waiting.removeFirst()
            }
            if let mine = places[me] {
                for (device, place) in places where device != me {
                    await tell(.measured(mine.report(of: device, at: place)))
                }
            }
            try await sleep(Self.interval)
        }
    }
}

extension SimulatedRanging.Place {
    /// Measures another host from here.
    fileprivate func report(of device: DeviceID, at other: Self) -> RangeReport {
        let (east, north) = (other.east - self.east, other.north - self.north)
        let metres = hypot(east, north)
        let direction = facingDegrees.flatMap { facing -> [Double]? in
            guard metres > 0 else { return nil }
            let turn = atan2(east, north) - facing * .pi / 180
            return [sin(turn), 0, cos(turn)]
        }
        return RangeReport(
            device: device, distanceMetres: metres, direction: direction,
            uncertaintyMetres: SimulatedRanging.uncertaintyMetres)
    }
}
