public import Contract
public import Location

extension Point {
    /// Creates a location from checked degrees.
    public init(_ latitude: Latitude, _ longitude: Longitude) {
        do {
            try self.init(latitude: latitude.value, longitude: longitude.value)
        } catch {
            preconditionFailure("a latitude and a longitude are a location: \(error)")
        }
    }

    /// Creates the location that a command names, or nil if it names none.
    /// - Throws: ``CommandFault/refused(_:)`` if only one of the two is given.
    public init?(named latitude: Latitude?, _ longitude: Longitude?) throws(CommandFault) {
        switch (latitude, longitude) {
        case (let latitude?, let longitude?): self.init(latitude, longitude)
        case (nil, nil): return nil
        default: throw CommandFault.refused("A location has a latitude and a longitude.")
        }
    }
}

extension LocationAccess {
    /// Returns the location that a command names, or this device's own if it names none:
    ///
    ///     let point = try await context.location.meetingPoint(request.latitude, request.longitude)
    /// - Throws: ``CommandFault/refused(_:)`` if only one of the two is given, or if this device's
    ///   own location is not known.
    public func meetingPoint(
        _ latitude: Latitude?, _ longitude: Longitude?
    ) async throws -> Point {
        if let point = try Point(named: latitude, longitude) { return point }
        guard let own = await whereabouts().fix?.point else {
            throw CommandFault.refused(
                "Your own location is not known: give a latitude and a longitude, or set your "
                    + "location first.")
        }
        return own
    }
}
