internal import FeaturesAPI
internal import PluginKit
internal import Records
internal import Synchronization
internal import TestSupport

/// A person whose only device is destroyed, and who comes back by their recovery words in an empty
/// home. Most of them then remove the lost device by the words. Only some seeds have one.
///
/// Data that only that device had is lost. Data that mates have must come back; ``Checks``
/// compares it, also after the removal.
final class Comeback: Sendable {
    private enum Stage { case before, back, done }

    private let person: SimulatedPerson
    private let world: World
    private let chance: Chance
    private let stage = Mutex(Stage.before)

    /// One seed in this many has a person who comes back.
    private static let oneIn = 3
    /// The time of a round before the device is destroyed.
    private static let before = Duration.seconds(60) ... .seconds(240)
    /// The pause before the person looks whether the lost device can be removed.
    private static let pause = Duration.seconds(5) ... .seconds(40)
    /// The share of people who remove the lost device, in per cent.
    private static let removesPercent = 80

    /// Chooses the person of a seed; nil if the seed has none.
    init?(among people: [SimulatedPerson], in world: World) {
        chance = Chance(seed: world.seed &* 67_867_967 &+ 13)
        let alone = people.filter(\.seconds.isEmpty)
        guard chance.number(1...Self.oneIn) == 1, let one = chance.one(of: alone) else {
            return nil
        }
        (person, self.world) = (one, world)
    }

    /// Destroys the device once, at a random time before the given one, and comes back. Then
    /// removes the lost device, as soon as something has come back.
    func live(until end: Duration) async throws {
        if stage.withLock({ $0 == .before }) { try await comeBack(until: end) }
        while stage.withLock({ $0 == .back }), !person.hasLeft {
            try? await world.time.sleep(for: chance.duration(Self.pause))
            guard world.time.now < end else { return }
            await removeLostDevices()
        }
    }

    private func comeBack(until end: Duration) async throws {
        try? await world.time.sleep(for: chance.duration(Self.before))
        while person.node.isBusy { try await world.time.sleep(for: .milliseconds(100)) }
        guard world.time.now < end, !person.hasLeft, person.node.hasPerson else { return }
        let removes = chance.chance(Self.removesPercent)
        stage.withLock { $0 = removes ? .back : .done }
        try person.node.loseHome()
        person.comesBack()
        try await person.node.start()
        world.count("returns by recovery words")
    }

    /// Removes every device that is listed besides the one in use. If the node is killed meanwhile,
    /// the next attempt finds out whether it did.
    private func removeLostDevices() async {
        guard let list = try? await person.node.call(DeviceCommands.list), list.locked == nil,
            list.isRemoved != true
        else { return }
        let lost = list.devices.filter { !$0.isThis }
        for device in lost {
            guard let words = try? Text<1, 512>(person.node.typedWords),
                let id = DeviceID(device.device.string)
            else { return }
            person.attemptRemoval(of: id)
            let removal = await person.told(
                DeviceCommands.remove,
                .init(device: NameOrKey(device.device), yes: true, words: words))
            guard removal != nil else { return }
            person.confirmRemoval(of: id)
            world.count("lost devices removed by words")
        }
        // An attempt whose result is unknown may have removed it.
        if lost.isEmpty { stage.withLock { $0 = .done } }
    }
}
