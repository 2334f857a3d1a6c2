internal import ChatAPI
internal import FeaturesAPI
internal import NodeAPI
internal import PluginKit
internal import Records
internal import Replica
internal import TestSupport

/// Another device of a simulated person. The person reads, handles items and sets the location on
/// both; at rest both show the same.
final class SecondDevice: Sendable {
    let node: SimulatedNode
    private let owner: SimulatedPerson
    private let world: World
    private let chance: Chance

    init(node: SimulatedNode, owner: SimulatedPerson, world: World) {
        self.node = node
        self.owner = owner
        self.world = world
        chance = Chance(seed: world.seed &* 49_979_687 &+ UInt64(node.place.number))
    }

    private enum Deed { case handle, read, write, locate, clear, sleep }

    /// Acts on both devices until the given time, and runs then.
    func live(until end: Duration) async throws {
        try await start()
        while world.time.now < end {
            try? await world.time.sleep(for: chance.duration(.seconds(1) ... .seconds(15)))
            guard world.time.now < end else { break }
            let device = chance.chance(50) ? node : owner.node
            let deed = chance.draw([
                (Deed.handle, 30), (.read, 25), (.write, 25), (.locate, 10), (.clear, 5),
                (.sleep, 10),
            ])
            switch deed {
            case .handle: await handle(on: device)
            case .read: await read(on: device)
            case .write: await write(on: device)
            case .locate: await locate(on: device)
            case .clear: _ = try? await device.call(LocationCommands.clear)
            case .sleep: try await sleep(until: end)
            }
        }
        try await start()
    }

    private func start() async throws {
        while node.isBusy { try await world.time.sleep(for: .milliseconds(100)) }
        try await node.start()
    }

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

    private func locate(on device: SimulatedNode) async {
        guard
            let request = try? SetLocation(
                latitude: Latitude(38 + Double(chance.number(0...99)) / 1000),
                longitude: Longitude(128))
        else { return }
        _ = try? await device.call(LocationCommands.set, request)
    }

    // MARK: - At rest

    /// Checks that both devices show the same inbox, unread messages and location.
    func compare() async {
        do {
            let names = "\(node.name) and \(owner.node.name)"
            let parts: [(String, (SimulatedNode) async throws -> [String])] = [
                ("inboxes", inbox), ("items", items), ("unread messages", unread),
                ("mates", mates), ("own records", records),
            ]
            for (part, read) in parts {
                let (mine, theirs) = (try await read(node), try await read(owner.node))
                world.count("parts compared on two devices")
                guard mine != theirs else { continue }
                let only = Set(mine).symmetricDifference(theirs).sorted().prefix(4)
                world.violated("\(names) show different \(part): \(Array(only))")
            }
            let shown = [try await shown(node), try await shown(owner.node)]
            guard shown == [nil, nil] || Set(shown) == [.here, .elsewhere] else {
                return world.violated("\(names) do not show one location: \(shown)")
            }
        } catch is NodeIsGone {
            world.violated("\(node.name) does not run at rest")
        } catch {
            world.violated("\(node.name) cannot be looked at: \(error)")
        }
    }

    private func shown(_ device: SimulatedNode) async throws -> MyLocation.Shown? {
        try await device.call(LocationCommands.show).shown
    }

    private func inbox(_ device: SimulatedNode) async throws -> [String] {
        // An invitation to a drop is shown by the device that was invited.
        try await device.call(InboxCommands.list).items.filter { $0.kind != "drop" }.map {
            "\($0.kind) \($0.ref?.string ?? "") \($0.handled) \($0.actions) \($0.atMs)"
        }.sorted()
    }

    /// The state of each item, also of those that no list shows.
    private func items(_ device: SimulatedNode) async throws -> [String] {
        try await device.rows(
            """
            SELECT kind, reference, max(coalesce(posting, 1)) AS posting,
                max(coalesce(handled_posting, 0)) AS handled
            FROM neighbours_inbox GROUP BY kind, reference ORDER BY kind, reference
            """
        ).map {
            "\($0.text("kind") ?? "") \($0.text("reference") ?? "") "
                + "\($0.integer("posting") ?? 0) \($0.integer("handled") ?? 0)"
        }
    }

    private func unread(_ device: SimulatedNode) async throws -> [String] {
        try await device.call(ChatCommands.rooms).rooms.map { "\($0.id) \($0.unread)" }.sorted()
    }

    private func mates(_ device: SimulatedNode) async throws -> [String] {
        try await device.call(MateCommands.list).mates.map { "\($0.person) \($0.state)" }.sorted()
    }

    private func records(_ device: SimulatedNode) async throws -> [String] {
        guard let replica = device.replica else { throw NodeIsGone() }
        var digests: [String] = []
        for space in [SpaceDescriptor.own(owner.id), .card(owner.id)] {
            digests.append("\(String(describing: await replica.digest(of: space.id)))")
        }
        return digests
    }
}
