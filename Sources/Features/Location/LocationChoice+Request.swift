internal import FeaturesAPI
internal import PluginKit

extension LocationChoice {
    /// The port that gpsd listens on by default.
    private static let gpsdPort = 2947

    /// Reads the source that `location source` names.
    /// - Throws: ``CommandFault/refused(_:)`` if the source does not have an option, if the file is
    ///   missing, or if the address is invalid.
    init(_ request: ChooseLocationSource) throws(CommandFault) {
        try Self.checkOptions(of: request)
        self =
            switch request.source {
            case .hand: .hand
            case .gpsd: try Self.receiver(request)
            case .gpx: try Self.track(request)
            }
    }

    /// Refuses the first option that belongs to another source.
    private static func checkOptions(of request: ChooseLocationSource) throws(CommandFault) {
        let options: [(name: String, isGiven: Bool, source: LocationSourceName)] = [
            ("address", request.address != nil, .gpsd), ("file", request.file != nil, .gpx),
            ("speed", request.speed != nil, .gpx), ("startMs", request.startMs != nil, .gpx),
        ]
        for option in options where option.isGiven && option.source != request.source {
            throw .refused("The source '\(request.source.rawValue)' takes no '\(option.name)'.")
        }
    }

    private static func receiver(
        _ request: ChooseLocationSource
    ) throws(CommandFault) -> LocationChoice {
        guard let address = request.address else {
            return .gpsd(host: "127.0.0.1", port: gpsdPort)
        }
        guard let (host, port) = split(address.string) else {
            throw .refused(
                "An address is a host, or a host and a port as in 'localhost:2947' or "
                    + "'[::1]:2947'.")
        }
        return .gpsd(host: host, port: port)
    }

    private static func track(
        _ request: ChooseLocationSource
    ) throws(CommandFault) -> LocationChoice {
        guard let file = request.file else {
            throw .refused("Name the GPX file to play with --file.")
        }
        return .track(
            path: file.string, speed: request.speed?.value ?? 1, start: request.startMs)
    }

    /// Splits a host from its port: `host`, `host:port`, `[address]:port` or `[address]`.
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
        // The parser also accepts a sign.
        let isDigits = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isDigits, let port = Int(text) else { return nil }
        return (1...65_535).contains(port) ? port : nil
    }
}
