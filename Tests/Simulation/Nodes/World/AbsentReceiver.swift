internal import Location

/// The location source of simulated devices, which is never available.
struct AbsentReceiver: LocationSource {
    let address: String

    func run(_ report: @Sendable (LocationReport) async -> Void) async throws {
        throw LocationFault.unreachable(address: address, reason: "no receiver is simulated")
    }
}
