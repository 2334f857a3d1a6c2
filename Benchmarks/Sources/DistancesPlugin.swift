import PluginKit
import Synchronization

/// A plugin that asks for measured distances, as the product's plugins do, and counts what arrives.
struct DistancesPlugin: Plugin {
    static let manifest = Manifest(id: "distances", version: 1, services: [.ranging])

    let context: PluginContext
    private let tally = DistanceTally()

    init(context: PluginContext) { self.context = context }

    func ranged(_ measurements: [RangeMeasurement]) async throws { tally.count(measurements) }

    static let commands: [CommandHandler] = [
        handle(DistancesCommands.measure) { plugin, _ in
            try await plugin.context.ranging.measure(for: RangingLimits.askedMax)
            return plugin.tally.drain()
        },
        handle(DistancesCommands.show) { plugin, _ in plugin.tally.drain() },
    ]
}

/// The commands of the measured distances.
enum DistancesCommands {
    static let measure = Command<NoParameters, CountedDistances>(
        .action, "distances", "measure", help: "Measures for as long as one question may.")
    static let show = Command<NoParameters, CountedDistances>(
        .query, "distances", "show", help: "The measurements since the last report.")
}

/// The answer of the commands: the measurements that the plugin received, by device.
struct CountedDistances: Codable, Sendable {
    var devices: [Device] = []

    /// The measurements of one device.
    struct Device: Codable, Sendable {
        let device: String
        var count = 0
        var metresMin = Double.greatestFiniteMagnitude
        var metresMax = 0.0
    }
}

/// The measurements that were received, by device.
private final class DistanceTally: Sendable {
    private let devices = Mutex<[DeviceID: CountedDistances.Device]>([:])

    func count(_ measurements: [RangeMeasurement]) {
        devices.withLock { devices in
            for measurement in measurements {
                guard let metres = measurement.distanceMetres else { continue }
                var counted =
                    devices[measurement.device]
                    ?? CountedDistances.Device(device: measurement.device.description)
                counted.count += 1
                counted.metresMin = min(counted.metresMin, metres)
                counted.metresMax = max(counted.metresMax, metres)
                devices[measurement.device] = counted
            }
        }
    }

    /// Returns the measurements since the last call.
    func drain() -> CountedDistances {
        devices.withLock { devices in
            defer { devices = [:] }
            return CountedDistances(devices: Array(devices.values))
        }
    }
}
