internal import FeaturesAPI
internal import PluginKit

extension MyLocation {
    /// Creates the answer: the known location, with its source and age.
    init(_ known: Whereabouts, uptime: Duration) {
        let fix = known.fix
        self.init(
            source: known.source.name.rawValue, state: known.state.word,
            reason: known.state.reason, latitude: fix?.point.latitude,
            longitude: fix?.point.longitude, accuracyMetres: fix?.accuracyMetres,
            atMs: fix?.atMs.map { Timestamp(milliseconds: $0) },
            ageSeconds: known.age(uptime: uptime).map { Int($0.components.seconds) })
        switch known.source {
        case .hand: break
        case .gpsd(let host, let port):
            address = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .track(let path, let speed, _):
            file = path
            self.speed = speed
        }
    }
}

extension LocationChoice {
    /// The name of the source in JSON.
    fileprivate var name: LocationSourceName {
        switch self {
        case .hand: .hand
        case .gpsd: .gpsd
        case .track: .gpx
        }
    }
}

extension Whereabouts.State {
    /// The name of the state in JSON.
    fileprivate var word: String {
        switch self {
        case .known: "known"
        case .searching: "searching"
        case .away: "away"
        case .ended: "ended"
        case .failed: "failed"
        }
    }

    /// The reason why the source is away or failed.
    fileprivate var reason: String? {
        switch self {
        case .away(let reason), .failed(let reason): reason
        case .known, .searching, .ended: nil
        }
    }
}
