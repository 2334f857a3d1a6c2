internal import InterestsAPI
public import PluginKit

/// A bump: the user and the match exchange profiles because both say that they have met, or because
/// their devices touch.
extension Interests {
    /// Exchanges profiles with the match, if they say within 5 s too that the two have met.
    /// - Throws: ``CommandFault/conflict(_:)`` without a match, else the fault of the drop.
    func meetMatch() async throws {
        guard let match = finder.match, let person = match.someone.named else {
            throw CommandFault.conflict(
                "There is nobody to meet yet: 'waggle interests look' looks for people.")
        }
        let names = Sentence.list(match.common.map(\.name))
        try await context.nearby.meet(
            MeetingWish(
                person: person, common: "You both like: \(names).",
                topic: Interest.openers(for: match.common).first))
    }

    /// Receives a measured distance, and meets the match if its device begins to touch this one.
    /// Measurements of other devices change nothing.
    public func receiveDistance(
        to device: DeviceID, metres: Double, uncertaintyMetres: Double
    ) async {
        guard finder.match?.someone.device == device,
            receiveMatchDistance(device, metres, uncertaintyMetres)
        else { return }
        do {
            try await meetMatch()
        } catch {
            context.logger.info("A bump did not begin a drop: \(error)")
        }
    }
}

extension MatchFinder.Someone {
    /// The person as a drop names them: by the linked device, or else by the announced tag.
    fileprivate var named: NameOrKey? {
        device.map { NameOrKey($0) } ?? tag.map { NameOrKey($0) }
    }
}
