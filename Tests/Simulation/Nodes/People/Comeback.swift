internal import Records
internal import Synchronization
internal import TestSupport

/// A person whose only device is destroyed, and who comes back by their recovery words in an empty
/// home. Only some seeds have one.
///
/// Data that only that device had is lost. Data that mates have must come back; ``Checks``
/// compares it.
final class Comeback: Sendable {
    private let person: SimulatedPerson
    private let world: World
    private let chance: Chance
    private let hasBegun = Mutex(false)

    /// One seed in this many has a person who comes back.
    private static let oneIn = 3
    /// The time of a round before the device is destroyed.
    private static let before = Duration.seconds(60) ... .seconds(240)

    /// Chooses the person of a seed; nil if the seed has none.
    init?(among people: [SimulatedPerson], in world: World) {
        chance = Chance(seed: world.seed &* 67_867_967 &+ 13)
        let alone = people.filter(\.seconds.isEmpty)
        guard chance.number(1...Self.oneIn) == 1, let one = chance.one(of: alone) else {
            return nil
        }
        (person, self.world) = (one, world)
    }

    /// Destroys the device once, at a random time before the given one, and comes back.
    func live(until end: Duration) async throws {
        guard !hasBegun.withLock({ $0 }) else { return }
        try? await world.time.sleep(for: chance.duration(Self.before))
        while person.node.isBusy { try await world.time.sleep(for: .milliseconds(100)) }
        guard world.time.now < end, !person.hasLeft, person.node.hasPerson else { return }
        hasBegun.withLock { $0 = true }
        try person.node.loseHome()
        person.comesBack()
        try await person.node.start()
        world.count("returns by recovery words")
    }
}
