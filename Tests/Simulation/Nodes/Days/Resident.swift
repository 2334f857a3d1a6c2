internal import PluginKit
internal import Records
internal import Synchronization

/// A person who carries a node for some days: writes messages, makes promises, walks, and stops and
/// starts the device.
final class Resident: Sendable {
    let person: SimulatedPerson
    let book: DayBook
    let chance: Chance
    private let way = Mutex(false)

    init(_ person: SimulatedPerson, _ book: DayBook) {
        self.person = person
        self.book = book
        chance = Chance(seed: person.world.seed &* 49_979_687 &+ UInt64(person.node.place.number))
    }

    var id: PersonID { person.id }
    var node: SimulatedNode { person.node }
    var world: World { person.world }

    /// Whether the person is on the way to a promise.
    var isOnTheWay: Bool {
        get { way.withLock { $0 } }
        set { way.withLock { $0 = newValue } }
    }

    /// The pause between two actions, in milliseconds.
    private static let idleMs = 240_000...4_800_000

    /// Acts until the given time.
    func live(until end: Duration) async {
        while world.time.now < end {
            let pause = min(chance.milliseconds(Self.idleMs), end - world.time.now)
            try? await world.time.sleep(for: pause)
            guard world.time.now < end, node.isUp else { continue }
            await answerInvitations()
            await answerQuestions()
            for _ in 0..<chance.number(1...3) { await act() }
        }
    }

    private enum Deed { case say, read, look, forget, unsay, make, change, part }

    private func act() async {
        switch chance.draw([
            (Deed.say, 40), (.read, 25), (.look, 8), (.forget, 4), (.unsay, 5), (.make, 9),
            (.change, 6), (.part, 3),
        ]) {
        case .say: await say()
        case .read: await read()
        case .look: await look()
        case .forget: await forget()
        case .unsay: await unsay()
        case .make: await make()
        case .change: await change()
        case .part: await part()
        }
    }

    // MARK: - The device in the pocket

    /// The times for which a device is used and stopped, in milliseconds.
    private static let useMs = 1_200_000...7_200_000
    private static let restMs = 600_000...21_600_000

    /// Stops and starts the device until the given time. It is not stopped on the way to a promise.
    func comeAndGo(until end: Duration) async {
        while world.time.now < end {
            try? await world.time.sleep(for: chance.milliseconds(Self.useMs))
            guard !isOnTheWay, world.time.now < end else { continue }
            try? await node.stop()
            world.count("times away")
            try? await world.time.sleep(for: chance.milliseconds(Self.restMs))
            await takeOut()
        }
    }

    /// Starts the node unless it runs.
    func takeOut() async {
        while node.isBusy { try? await world.time.sleep(for: .milliseconds(100)) }
        do { try await node.start() } catch {
            world.violated("\(node.name) does not start: \(error)")
        }
    }

    // MARK: - Commands

    /// Performs a command and records how far the own logs reach after it.
    func give(
        _ noun: String, _ verb: String, _ arguments: [String: JSONValue] = [:]
    ) async -> Answer {
        do {
            let answer = try await node.perform(noun, verb, arguments)
            if let marks = try? await person.ownMarks() { person.ledger.mark(marks) }
            return .done(answer)
        } catch let fault as CommandFault {
            return .refused(fault)
        } catch {
            return .unknown
        }
    }

    /// Returns the ids of the person's mates.
    func mates() async -> [PersonID] {
        let answer = await give("mates", "list").value
        return (answer?["mates"]?.array ?? []).filter { $0["state"] == "mate" }
            .compactMap { $0["person"]?.string.flatMap { PersonID($0) } }
            .sorted()
    }
}
