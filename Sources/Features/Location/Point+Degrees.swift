internal import PluginKit

extension Point {
    /// Creates a location from checked degrees.
    init(_ latitude: Latitude, _ longitude: Longitude) {
        do {
            try self.init(latitude: latitude.value, longitude: longitude.value)
        } catch {
            preconditionFailure("a latitude and a longitude are a location: \(error)")
        }
    }
}
