internal import ChatAPI
internal import FeaturesAPI
internal import InterestsAPI
internal import NodeAPI
internal import PluginKit
internal import Records
internal import Replica
internal import TestSupport

// The checks of two devices of one person at rest.
extension SecondDevice {
    /// The time in which a batch reaches the person's other device at rest, and more.
    private static let crossingTime: Duration = .seconds(2)
    /// The number of such waits after which the comparison takes place anyway.
    private static let crossingsMax = 5

    /// Checks this device against the first one: both show the same, or this one was removed and
    /// got nothing more.
    func check(among people: [SimulatedPerson]) async {
        guard isAdded, !owner.hasLeft, !owner.ledger.isVoid else { return }
        do {
            if let removal {
                if removal.isConfirmed { try await checkRemoved(removal) }
            } else if !people.contains(where: { $0.wasFarOff || $0.ledger.isVoid }) {
                // While a clock is years off, one device may hold what the other one waits for.
                try await compare(clocksAgree: people.allSatisfy { $0.node.skew.duration == .zero })
            }
        } catch is NodeIsGone {
            world.violated("\(node.name) or \(owner.node.name) does not run at rest")
        } catch {
            world.violated("\(node.name) cannot be looked at: \(error)")
        }
    }

    // MARK: - The same

    /// Checks that both devices hold and show the same.
    /// - Parameter clocksAgree: whether what has expired on one device has on the other.
    private func compare(clocksAgree: Bool) async throws {
        try await waitForCrossing()
        let names = "\(node.name) and \(owner.node.name)"
        let abandoned = try await abandonedLogs()
        var parts: [(String, (SimulatedNode) async throws -> [String])] = [
            ("items", items), ("unread messages", { try await self.unread($0, except: abandoned) }),
            ("mates", mates), ("records", records), ("interests", interests),
        ]
        // During a flood, two devices may keep different items in memory until they store them.
        if !world.hasForgedWalks {
            parts.append(("inboxes", { try await self.inbox($0, withActions: clocksAgree) }))
        }
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
    }

    /// Waits until neither device has stored a batch for a while. Devices write at rest too: an
    /// inbox stores items that waited in memory whenever they are due, also just before the check.
    private func waitForCrossing() async throws {
        for _ in 0..<Self.crossingsMax {
            let hasStored = [
                try await hasJustStored(node), try await hasJustStored(owner.node),
            ]
            guard hasStored.contains(true) else { return }
            world.count("waits for a batch on its way")
            try await world.time.sleep(for: Self.crossingTime)
        }
    }

    private func hasJustStored(_ device: SimulatedNode) async throws -> Bool {
        let now = SimulatedClock(world.time, skew: device.skew).wallTime
        let rows = try await device.rows(
            "SELECT 1 FROM batch WHERE arrived > ? AND arrived <= ? LIMIT 1",
            [
                .integer((now - Self.crossingTime).milliseconds), .integer(now.milliseconds),
            ])
        return !rows.isEmpty
    }

    private func shown(_ device: SimulatedNode) async throws -> MyLocation.Shown? {
        try await device.call(LocationCommands.show).shown
    }

    private func inbox(
        _ device: SimulatedNode, withActions: Bool
    ) async throws -> [String] {
        // An invitation to a drop is shown by the device that was invited, and the question about
        // an interrupted walk by the one that recorded it.
        try await device.call(InboxCommands.list).items.filter {
            $0.kind != "drop" && $0.ref?.string.hasPrefix(Checks.recordingPrefix) != true
        }.map {
            "\($0.kind) \($0.ref?.string ?? "") \($0.handled) \(withActions ? $0.actions : [])"
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

    /// The number of unread messages in each room, without those in some logs.
    private func unread(
        _ device: SimulatedNode, except abandoned: [String: Set<DeviceID>]
    ) async throws -> [String] {
        var left: [String: Int64] = [:]
        for row in try await device.rows(
            """
            SELECT s.id AS id, c.device AS device, count(*) AS count FROM chat_reach c
            JOIN chat_shown m ON m.space = c.space AND m.log = c.log AND m.number > c.reached
            JOIN waggle_space s ON s.space = c.space GROUP BY c.space, c.log
            """)
        {
            guard let space = row.bytes("id").flatMap({ SpaceID(bytes: $0) })?.description,
                let writer = row.device("device"), let count = row.integer("count"),
                abandoned[space]?.contains(writer) == true
            else { continue }
            left[space, default: 0] += count
        }
        return try await device.call(ChatCommands.rooms).rooms.map { room in
            "\(room.id) \(Int64(room.unread.value) - (left["\(room.id)"] ?? 0))"
        }.sorted()
    }

    private func mates(_ device: SimulatedNode) async throws -> [String] {
        try await device.call(MateCommands.list).mates.map { "\($0.person) \($0.state)" }.sorted()
    }

    private func interests(_ device: SimulatedNode) async throws -> [String] {
        try await device.call(InterestsCommands.show).chosen.map(\.interest.string)
    }

    /// The digests of this person's own space, of their card and of their pairs with mates.
    private func records(_ device: SimulatedNode) async throws -> [String] {
        guard let replica = device.replica else { throw NodeIsGone() }
        let mates = try await device.rows("SELECT person FROM neighbours_mates ORDER BY person")
            .compactMap { $0.person("person") }
        var digests: [String] = []
        for space in [SpaceDescriptor.own(owner.id), .card(owner.id)]
            + mates.map({ SpaceDescriptor.between(owner.id, $0) })
        {
            let digest = await replica.digest(of: space.id)
            digests.append("\(space.kind) \(space.id) \(String(describing: digest))")
        }
        return digests
    }

    // MARK: - Removed

    /// Checks that a removed device holds nothing that the first device wrote after the removal,
    /// knows that it was removed, and has no link.
    private func checkRemoved(_ removal: SecondDevice.Removal) async throws {
        guard let replica = node.replica else { throw NodeIsGone() }
        let cuts = try await cutNumbers()
        // Anybody may read in an open space.
        for space in await replica.spaces() where space.descriptor.kind != .open {
            let reached = removal.reached[space.id] ?? 0
            let most = min(reached, (cuts[space.id] ?? .max) - 1)
            for head in await replica.heads(in: space.id)
            where head.log.device == owner.node.device && head.high > most {
                world.violated(
                    "\(node.name) was removed and holds what was written later in a "
                        + "\(space.descriptor.kind) space: \(head.high) after \(most)")
            }
        }
        let status = try await node.call(NodeCommands.status)
        if status.unsettled == nil {
            world.violated("\(node.name) was removed and does not know it")
        }
        if !status.links.isEmpty { world.violated("\(node.name) was removed and has a link") }
        world.count("removed devices checked")
    }

    /// The first batch in each space by which the first device ended a log of this one.
    private func cutNumbers() async throws -> [SpaceID: UInt64] {
        var numbers: [SpaceID: UInt64] = [:]
        for row in try await owner.node.rows(
            """
            SELECT s.id AS space, c.batch & ((1 << 40) - 1) AS number, b.body AS body
            FROM control c JOIN batch b ON b.id = c.batch JOIN log l ON l.number = c.batch >> 40
            JOIN space s ON s.number = c.space WHERE l.device = ? ORDER BY c.batch DESC
            """, [.bytes(owner.node.device.bytes)])
        {
            guard let space = row.bytes("space").flatMap({ SpaceID(bytes: $0) }),
                let number = row.integer("number").flatMap({ UInt64(exactly: $0) }),
                let body = row.bytes("body").flatMap({ try? BatchBody(decoding: $0) })
            else { continue }
            let isEnd = body.operations.contains { operation in
                guard case .cut(_, let heads) = operation.action else { return false }
                return heads.contains { $0.log.device == node.device }
            }
            if isEnd { numbers[space] = number }
        }
        return numbers
    }
}
