internal import InterestsAPI
internal import PluginKit

/// The measured distance to the match: while the user looks and there is a match, this device
/// measures, if something here can.
extension Interests {
    /// The interval between two questions for measurements.
    static let measuringInterval = Duration.seconds(1)
    /// The time for which one question keeps the provider measuring.
    private static let measuring = Duration.seconds(3)

    /// Asks for measurements while there is a match, and links with its device for them: a
    /// provider measures linked devices only. Matching itself opens no connection.
    func measureMatch() async throws {
        guard let match = isLooking ? finder.match : nil,
            try await context.ranging.provider().isAvailable
        else { return try await stopMeasuring() }
        if match.someone.device == nil, let tag = match.someone.tag {
            _ = try await context.nearby.reach(tag)
        }
        isMeasuring = true
        try await context.ranging.measure(for: Self.measuring)
        let metres = try await measuredMetres(to: match)
        guard metres != shownMetres else { return }
        shownMetres = metres
        await publish(.people)
    }

    private func stopMeasuring() async throws {
        guard isMeasuring else { return }
        (isMeasuring, shownMetres) = (false, nil)
        try await context.ranging.measure(for: .zero)
    }

    /// Returns the measured distance to a match, in metres.
    func measuredMetres(to match: MatchFinder.Match) async throws -> Double? {
        guard let device = match.someone.device else { return nil }
        return try await context.ranging.measurements()[device]?.distanceMetres
    }

    /// Receives a measurement. One without a distance or an uncertainty is no touch.
    func receive(_ measurement: RangeMeasurement) async {
        guard let metres = measurement.distanceMetres,
            let uncertainty = measurement.uncertaintyMetres
        else { return }
        await receiveDistance(
            to: measurement.device, metres: metres, uncertaintyMetres: uncertainty)
    }
}
