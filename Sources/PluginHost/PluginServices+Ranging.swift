internal import PluginKit
internal import Records

extension PluginServices: RangingAccess {
    func measure(for duration: Duration) async throws {
        try require(.ranging)
        await node.measure(for: duration, askedBy: manifest.id)
    }

    func measurements() async throws -> [DeviceID: RangeMeasurement] {
        try require(.ranging)
        return await node.measurements()
    }

    func provider() async throws -> RangingProvider {
        try require(.ranging)
        return await node.rangingProvider
    }

    func choose(_ choice: RangingChoice) async throws {
        try require(.location)
        try await node.choose(choice)
    }
}
