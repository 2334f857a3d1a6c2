internal import Location

/// The receiver of simulated devices: its service runs nowhere.
struct AbsentReceiver: LocationSource {
    let address: String

    func run(_ report: @Sendable (LocationReport) async -> Void) async throws {
        throw LocationFault.unreachable(address: address, reason: "no receiver is simulated")
    }
}
