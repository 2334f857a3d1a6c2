internal import PluginKit
internal import ProximityDropAPI

/// The ranged mode: the provider measures while a ranged drop looks for its target.
extension ProximityDrop {
    /// The time for which one question keeps the provider measuring; it is repeated every second.
    private static let measuring = Duration.seconds(3)

    /// Lets the provider rest once the target is found or the drop has ended.
    func keepMeasuring() async {
        guard isMeasuring, !session.isRanging else { return }
        isMeasuring = false
        do { try await context.ranging.measure(for: .zero) } catch {
            context.logger.debug("Distances are still measured: \(error)")
        }
    }

    /// Asks for measurements while a ranged press looks for its target, and tells followers if it
    /// waits for something else now.
    func advise() async throws {
        guard session.isRanging else { return }
        isMeasuring = true
        try await context.ranging.measure(for: Self.measuring)
        var possible: [RangeMeasurement] = []
        for measurement in try await context.ranging.measurements().values
        where try await isPossible(measurement.device) {
            possible.append(measurement)
        }
        let advice =
            session.candidates.isEmpty ? RangedAdvice(about: possible) : RangedAdvice.choose
        guard session.isRanging, advice != self.advice else { return }
        self.advice = advice
        await publishChange(tellingOthers: false)
    }

    /// Receives measurements. Only a device in the band is looked up, so that measurements of many
    /// people cost little.
    func receive(_ measurements: [RangeMeasurement]) async throws {
        guard session.isRanging else { return }
        var found: [RangeMeasurement] = []
        for measurement in measurements where DropBand.obstacle(measurement) == nil {
            if try await isPossible(measurement.device) { found.append(measurement) }
        }
        await perform(session.receive(found, now: now))
    }

    /// Whether a drop with the person of a linked device is possible.
    private func isPossible(_ device: DeviceID) async throws -> Bool {
        let someone = try await context.nearby.people().first { $0.device == device }
        guard let person = someone?.person, person != context.me else { return false }
        switch try await context.core.relation(to: person) {
        case .stranger, .waiting: return true
        case .mate, .blocked: return false
        }
    }

    /// Checks that something measures distances.
    /// - Throws: ``CommandFault/refused(_:)`` if nothing does.
    func requireProvider() async throws {
        guard try await context.ranging.provider().isAvailable else {
            throw CommandFault.refused(Self.noProvider)
        }
    }

    /// Whether the ranged mode can be used, and what it waits for.
    func ranged() async throws -> DropStatus.Ranged {
        guard try await context.ranging.provider().isAvailable else {
            return DropStatus.Ranged(available: false, reason: Self.noProvider)
        }
        return DropStatus.Ranged(
            available: true, advice: session.isRanging ? advice.sentence : nil)
    }

    private static let noProvider: Sentence = """
        Holding the two devices together needs a radio that measures distances, which is not \
        available here. Choosing the person works without it.
        """
}
