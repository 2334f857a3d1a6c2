internal import FeaturesAPI
internal import PluginKit

/// The locations that mates show me, as the list of mates has them.
protocol MateLocations: Sendable {
    /// Returns the location of each mate who shows one.
    func mateLocations() async -> [PersonID: MateList.SharedLocation]
    /// Forgets the location of a person who is no longer a mate.
    func forgetLocation(of person: PersonID) async
}
