internal import FeaturesAPI
internal import PluginKit
internal import Records
internal import Synchronization
internal import TestSupport

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

    /// The pause between two actions.
    private static let idle = Duration.seconds(240) ... .seconds(4800)

    /// Acts until the given time.
    func live(until end: Duration) async {
        while world.time.now < end {
            let pause = min(chance.duration(Self.idle), end - world.time.now)
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

    /// The times for which a device is used and stopped.
    private static let use = Duration.seconds(1200) ... .seconds(7200)
    private static let rest = Duration.seconds(600) ... .seconds(21_600)

    /// Stops and starts the device until the given time. It is not stopped on the way to a promise.
    func comeAndGo(until end: Duration) async {
        while world.time.now < end {
            try? await world.time.sleep(for: chance.duration(Self.use))
            guard !isOnTheWay, world.time.now < end else { continue }
            try? await node.stop()
            world.count("times away")
            try? await world.time.sleep(for: chance.duration(Self.rest))
            await startNode()
        }
    }

    /// Starts the node unless it runs.
    func startNode() async {
        while node.isBusy { try? await world.time.sleep(for: .milliseconds(100)) }
        do { try await node.start() } catch {
            world.violated("\(node.name) does not start: \(error)")
        }
    }

    // MARK: - Commands

    /// Performs a command and records how far the own logs reach after it.
    func give<Request, Value>(
        _ command: Command<Request, Value>, _ request: @autoclosure () throws -> Request
    ) async -> Answer<Value> {
        do {
            let answer = try await node.call(command, request())
            if let marks = try? await person.ownMarks() { person.ledger.mark(marks) }
            return .done(answer)
        } catch let fault as CommandFault {
            return .refused(fault)
        } catch {
            if error is AnswerMismatch { world.violated("\(node.name): \(error)") }
            return .unknown
        }
    }

    /// Performs a command without parameters in the same way.
    func give<Value>(_ command: Command<NoParameters, Value>) async -> Answer<Value> {
        await give(command, NoParameters())
    }

    /// Returns the ids of the person's mates.
    func mates() async -> [PersonID] {
        let answer = await give(MateCommands.list).value
        return (answer?.mates ?? []).filter { $0.state == .mate }.map { PersonID($0.person) }
            .sorted()
    }
}
