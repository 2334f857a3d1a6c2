internal import ChatAPI
internal import FeaturesAPI
internal import NodeAPI
internal import PluginKit
internal import Records
internal import Replica
internal import Synchronization
internal import TestSupport

/// Another device of a simulated person. It joins by a code, the person acts on both devices, and
/// may remove it later.
///
/// At rest, two devices of a person show the same, and a removed one has got nothing more.
final class SecondDevice: Sendable {
    let node: SimulatedNode
    let owner: SimulatedPerson
    let walker: Walker
    let seeker: Seeker
    let world: World
    let chance: Chance
    private let mayBeRemoved: Bool
    private let state = Mutex(State())

    private struct State {
        var isAdded = false
        var removal: Removal?
        /// The walks that were asked for on this device.
        var walks: Set<String> = []
    }

    /// A removal of the device that was tried.
    struct Removal {
        /// Whether the first device confirmed it; if it was killed before, it may have removed it.
        var isConfirmed = false
        /// The ends of the first device's logs when it confirmed the removal.
        var reached: [SpaceID: UInt64] = [:]
    }

    init(of owner: SimulatedPerson, number: Int, in world: World) throws {
        node = try SimulatedNode(another: owner.node, number: number)
        self.owner = owner
        self.world = world
        walker = Walker(node: node, book: owner.walks, world: world)
        seeker = Seeker(node: node, chooses: false, world: world)
        chance = Chance(seed: world.seed &* 49_979_687 &+ UInt64(number))
        mayBeRemoved = chance.chance(50)
        owner.add(self)
    }

    /// Whether the device joined.
    var isAdded: Bool { state.withLock { $0.isAdded } }
    /// The removal, if it was tried.
    var removal: Removal? { state.withLock { $0.removal } }
    /// The walks that were asked for on the device.
    var walks: Set<String> { state.withLock { $0.walks } }

    private enum Deed { case handle, read, write, ask, locate, clear, sleep, remove }

    /// Joins, acts on both devices until the given time, and runs then.
    func live(until end: Duration) async throws {
        while world.time.now < end {
            try? await world.time.sleep(for: chance.duration(.seconds(1) ... .seconds(12)))
            guard world.time.now < end else { break }
            guard isAdded else {
                try await join(until: end)
                continue
            }
            guard removal == nil else {
                if removal?.isConfirmed == false { await remove() }
                continue
            }
            try await act(until: end)
            await walker.act(for: owner) { await owner.mates() }
            await seeker.act(for: owner, among: [])
        }
        // A device that has no person yet does not count.
        if isAdded { try await start() }
    }

    private func act(until end: Duration) async throws {
        let device = chance.chance(50) ? node : owner.node
        let deed = chance.draw([
            (Deed.handle, 25), (.read, 20), (.write, 25), (.ask, 15), (.locate, 10), (.clear, 5),
            (.sleep, 10), (.remove, mayBeRemoved ? 5 : 0),
        ])
        switch deed {
        case .handle: await handle(on: device)
        case .read: await read(on: device)
        case .write: await write(on: device)
        case .ask: await ask()
        case .locate: await locate(on: device)
        case .clear: _ = try? await device.call(LocationCommands.clear)
        case .sleep: try await sleep(until: end)
        case .remove: await remove()
        }
    }

    func start() async throws {
        while node.isBusy { try await world.time.sleep(for: .milliseconds(100)) }
        try await node.start()
    }

    // MARK: - Joining

    /// The time in which a device waits for the one that shows the code.
    private static let joining: Duration = .seconds(90)

    /// Shows a code on the first device, and waits with it on this one.
    private func join(until end: Duration) async throws {
        guard let shown = try? await owner.node.call(PairingCommands.add), !shown.words.isEmpty
        else { return }
        if node.isUp { try await node.stop() }
        // A fault may have started it meanwhile.
        guard !node.isUp, !node.isBusy else { return }
        if !node.hasPerson {
            try node.wait(for: shown.words.map(\.string).joined(separator: " "))
        }
        try await start()
        let deadline = min(end, world.time.now + Self.joining)
        while world.time.now < deadline, !node.hasPerson {
            try? await world.time.sleep(for: .seconds(1))
        }
        guard node.hasPerson else { return }
        state.withLock { $0.isAdded = true }
        world.count("second devices")
    }

    // MARK: - Removal

    /// Lets the first device remove this one. If its node is killed meanwhile, it is not known
    /// whether it did, and it is told again later.
    private func remove() async {
        let isRepeated = removal != nil
        state.withLock { $0.removal = $0.removal ?? Removal() }
        do {
            _ = try await owner.node.call(
                DeviceCommands.remove,
                .init(device: NameOrKey(Key(node.device)), yes: true))
        } catch CommandFault.notFound where isRepeated {
            world.trace.record("\(node.name) was removed before")
        } catch is NodeIsGone {
            return
        } catch {
            if !isRepeated { state.withLock { $0.removal = nil } }
            return
        }
        guard let marks = try? await owner.ownMarks() else { return }
        let reached = Dictionary(marks.map { ($0.space, $0.number) }, uniquingKeysWith: max)
        state.withLock { $0.removal = Removal(isConfirmed: true, reached: reached) }
        world.count("second devices removed")
    }

    // MARK: - Acts

    /// Stops for a while, as a laptop that is closed.
    private func sleep(until end: Duration) async throws {
        guard node.isUp, !node.isBusy else { return }
        try await node.stop()
        let pause = chance.duration(.seconds(5) ... .seconds(60))
        try? await world.time.sleep(for: min(pause, max(.zero, end - world.time.now)))
        try await start()
    }

    private func handle(on device: SimulatedNode) async {
        guard let list = try? await device.call(InboxCommands.list),
            let item = chance.one(of: list.items.filter { !$0.handled })
        else { return }
        _ = try? await device.call(InboxCommands.handle, .init(id: RecordPrefix(item.id)))
        world.count("items handled")
    }

    private func read(on device: SimulatedNode) async {
        guard let room = await room(on: device) else { return }
        _ = try? await device.call(ChatCommands.open, .init(room: NameOrKey(room.id)))
        world.count("rooms read")
    }

    private func write(on device: SimulatedNode) async {
        guard let room = await room(on: device), room.canSend,
            let text = try? MessageText("Said \(chance.number(1...999)) on \(device.name)")
        else { return }
        _ = try? await device.call(
            ChatCommands.send, .init(room: NameOrKey(room.id), text: text))
    }

    private func room(on device: SimulatedNode) async -> ChatRoom? {
        let rooms = try? await device.call(ChatCommands.rooms).rooms
        return chance.one(of: (rooms ?? []).sorted { $0.id.string < $1.id.string })
    }

    /// Asks a mate for a walk on this device.
    private func ask() async {
        guard let list = try? await node.call(MateCommands.list) else { return }
        let mates = list.mates.filter { $0.state == .mate }.map(\.person.string).sorted()
        guard let mate = chance.one(of: mates) else { return }
        let walk = try? await node.call(
            WalkCommands.ask,
            .init(
                to: NameOrKey(mate), latitude: Latitude(37.5), longitude: Longitude(127.0),
                message: Text("Walk \(chance.number(1...999)) from \(node.name)?")))
        guard let walk else { return }
        state.withLock { _ = $0.walks.insert(walk.id.string) }
        world.count("walks asked on second devices")
    }

    private func locate(on device: SimulatedNode) async {
        guard
            let request = try? SetLocation(
                latitude: Latitude(38 + Double(chance.number(0...99)) / 1000),
                longitude: Longitude(128))
        else { return }
        _ = try? await device.call(LocationCommands.set, request)
    }
}
