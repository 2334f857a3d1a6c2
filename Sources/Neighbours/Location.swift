internal import PluginKit

/// Where this device is, and who says so.
extension Neighbours {
    /// The port gpsd listens on where nobody says otherwise.
    static let gpsdPort = 2947

    /// Answers `location show`: what is known, with its source and age.
    func showLocation() async -> JSONValue {
        let known = await context.location.whereabouts()
        var answer = Self.json(known.source).merging(Self.json(known.state)) { source, _ in source }
        answer["latitude"] = known.fix.map { .number($0.point.latitude) }
        answer["longitude"] = known.fix.map { .number($0.point.longitude) }
        answer["accuracyMetres"] = known.fix?.accuracyMetres.map { .number($0) }
        answer["atMs"] = known.fix?.atMs.map { .integer($0) }
        answer["ageSeconds"] = known.age(uptime: context.clock.uptime).map {
            .integer($0.components.seconds)
        }
        return .object(answer)
    }

    /// Does `location source`.
    func setLocationSource(_ arguments: Arguments) async throws -> JSONValue {
        let choice: LocationChoice =
            switch try arguments.text("source") {
            case "gpsd": try Self.receiver(arguments)
            case "gpx": try Self.track(arguments)
            default: try Self.hand(arguments)
            }
        try await context.location.choose(choice)
        return await showLocation()
    }

    private static func hand(_ arguments: Arguments) throws(CommandFault) -> LocationChoice {
        try refuse(["address", "file", "speed", "startMs"], of: "hand", in: arguments)
        return .hand
    }

    private static func receiver(_ arguments: Arguments) throws(CommandFault) -> LocationChoice {
        try refuse(["file", "speed", "startMs"], of: "gpsd", in: arguments)
        guard let address = arguments["address"]?.string else {
            return .gpsd(host: "127.0.0.1", port: gpsdPort)
        }
        guard let (host, port) = split(address) else {
            throw .usage(
                "An address is a host, or a host and a port as in 'localhost:2947' or "
                    + "'[::1]:2947'.", field: "address")
        }
        return .gpsd(host: host, port: port)
    }

    private static func track(_ arguments: Arguments) throws(CommandFault) -> LocationChoice {
        try refuse(["address"], of: "gpx", in: arguments)
        guard let path = arguments["file"]?.string else {
            throw .usage("Name the GPX file to play with --file.", field: "file")
        }
        let speed = arguments["speed"]?.number ?? 1
        guard GPXPlayback.speeds.contains(speed) else {
            throw .usage("A track is played 0.1 to 3600 times as fast.", field: "speed")
        }
        let startMs = arguments["startMs"]?.integer
        guard startMs.map(WalkFacts.milliseconds.contains) ?? true else {
            throw .usage("A time is milliseconds since 1970.", field: "startMs")
        }
        return .track(path: path, speed: speed, startMs: startMs)
    }

    private static func refuse(
        _ names: [String], of source: String, in arguments: Arguments
    ) throws(CommandFault) {
        for name in names where arguments.has(name) {
            throw .usage("The source '\(source)' takes no '\(name)'.", field: name)
        }
    }

    /// A host with its port: `host`, `host:port`, `[address]:port` or `[address]`.
    static func split(_ address: String) -> (host: String, port: Int)? {
        guard !address.isEmpty, !address.contains(where: \.isWhitespace) else { return nil }
        if address.first == "[" {
            guard let end = address.firstIndex(of: "]") else { return nil }
            let host = address[address.index(after: address.startIndex)..<end]
            let rest = address[address.index(after: end)...]
            guard host.contains(":"), rest.isEmpty || rest.first == ":" else { return nil }
            return port(rest.isEmpty ? nil : rest.dropFirst()).map { (String(host), $0) }
        }
        let parts = address.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, parts.count <= 2 else { return nil }
        return port(parts.count == 2 ? parts[1] : nil).map { (String(host), $0) }
    }

    private static func port(_ text: Substring?) -> Int? {
        guard let text else { return gpsdPort }
        // The parser also takes a sign.
        let isDigits = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isDigits, let port = Int(text) else { return nil }
        return (1...65_535).contains(port) ? port : nil
    }

    private static func json(_ source: LocationChoice) -> [String: JSONValue] {
        switch source {
        case .hand: ["source": "hand"]
        case .gpsd(let host, let port):
            [
                "source": "gpsd",
                "address": .string(host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"),
            ]
        case .track(let path, let speed, _):
            ["source": "gpx", "file": .string(path), "speed": .number(speed)]
        }
    }

    private static func json(_ state: Whereabouts.State) -> [String: JSONValue] {
        switch state {
        case .known: ["state": "known"]
        case .searching: ["state": "searching"]
        case .ended: ["state": "ended"]
        case .away(let reason): ["state": "away", "reason": .string(reason)]
        case .failed(let reason): ["state": "failed", "reason": .string(reason)]
        }
    }
}
