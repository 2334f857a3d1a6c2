internal import FeaturesAPI
internal import PluginKit

extension MyLocation {
    /// Creates the answer: the known location, with its source and age.
    init(_ known: Whereabouts, uptime: Duration) {
        let fix = known.fix
        self.init(
            source: known.source.name, state: .init(known.state),
            reason: known.state.reason, latitude: fix?.point.latitude,
            longitude: fix?.point.longitude, accuracyMetres: fix?.accuracyMetres,
            atMs: fix?.at,
            ageSeconds: known.age(uptime: uptime).map { Int($0.components.seconds) })
        switch known.source {
        case .hand: break
        case .gpsd(let host, let port):
            address = NetworkAddress.Shown(
                clipping: host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)")
        case .track(let path, let speed, _):
            file = ShownPath(clipping: path)
            self.speed = PlaybackSpeed(clamping: speed)
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

extension MyLocation.State {
    fileprivate init(_ state: Whereabouts.State) {
        switch state {
        case .known: self = .known
        case .searching: self = .searching
        case .away: self = .away
        case .ended: self = .ended
        case .failed: self = .failed
        }
    }
}

extension Whereabouts.State {
    /// The reason why the source is away or failed.
    fileprivate var reason: Sentence? {
        switch self {
        case .away(let reason), .failed(let reason): reason
        case .known, .searching, .ended: nil
        }
    }
}
