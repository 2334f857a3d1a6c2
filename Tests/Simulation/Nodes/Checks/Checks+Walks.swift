internal import FeaturesAPI
internal import Foundation
internal import PluginKit
internal import Records
internal import TestSupport
internal import WalkLogAPI

// Recorded walks: what a device confirmed is there, and other devices have what was promised.
extension Checks {
    /// The beginning of the references of questions about interrupted walks.
    static let recordingPrefix = "walklog-"
    /// The number of newest walks whose ways are compared.
    private static let tracksCount = 3

    // MARK: - At any time

    /// Checks that each device shows the recording that it confirmed, and every walk that it kept.
    func recordings() async {
        for person in people {
            for device in person.present {
                do {
                    try await device.walker.check(always: false)
                    try await checkKeptWalks(on: device.node, of: person)
                } catch is NodeIsGone {
                    continue
                } catch {
                    world.violated("\(device.node.name)'s walks cannot be looked at: \(error)")
                }
            }
        }
    }

    private func checkKeptWalks(on node: SimulatedNode, of person: SimulatedPerson) async throws {
        guard node.isUp, !person.ledger.isVoid else { return }
        func expected() -> Set<String> {
            person.walks.with { book in
                Set(
                    book.kept.filter {
                        $1.devices == [node.place] && $1.isDeleted.values == [false]
                    }.keys.map(\.string))
            }
        }
        let before = expected()
        guard !before.isEmpty else { return }
        let rows = Set(
            try await node.rows("SELECT entity FROM walklog_walk")
                .compactMap { $0.entity("entity")?.description })
        for walk in before.subtracting(rows).intersection(expected()).sorted() {
            world.violated("\(node.name) lost the walk \(walk)")
        }
    }

    // MARK: - At rest

    /// Checks the recordings and the walks on all devices of a person.
    func recordedWalks(of person: SimulatedPerson) async throws {
        for device in person.present {
            try await device.walker.check(always: true)
            try await recording(on: device.node)
        }
        let (nodes, kept) = keptWalks(of: person)
        for node in nodes { try await compare(kept, on: node) }
    }

    /// Returns the devices that must have the same walks, and these walks.
    private func keptWalks(
        of person: SimulatedPerson
    ) -> (nodes: [SimulatedNode], kept: [RecordKey: WalkBook.Kept]) {
        guard !person.ledger.isVoid else { return ([], [:]) }
        // While a clock is years off, a device may hold what the other one waits for.
        let nodes =
            people.contains(where: \.wasFarOff) ? [person.node] : person.present.map(\.node)
        let places = Set(nodes.map(\.place))
        return (
            nodes, person.walks.with { $0.kept }.filter { $1.devices.isSubset(of: places) }
        )
    }

    /// Checks that a device has one recording at most, and asks about it only if it was
    /// interrupted.
    private func recording(on node: SimulatedNode) async throws {
        let status = try await node.call(WalkLogCommands.status)
        let hasJournal = FileManager.default.fileExists(
            atPath: node.homeDirectory + "/journal-walklog")
        if hasJournal != (status.state != .idle) {
            world.violated("\(node.name) has a journal: \(hasJournal), and is \(status.state)")
        }
        let questions = try await node.call(InboxCommands.list).items.filter {
            $0.ref?.string.hasPrefix(Self.recordingPrefix) == true
        }
        let open = questions.count { !$0.handled }
        if questions.count > 1 || open > 0 && status.state != .interrupted {
            world.violated("\(node.name) asks \(open) times about a walk that is \(status.state)")
        }
        if open > 0 { world.count("questions about interrupted walks") }
    }

    private func compare(
        _ kept: [RecordKey: WalkBook.Kept], on node: SimulatedNode
    ) async throws {
        let page = try await node.call(WalkLogCommands.list, .init(count: Whole(1000)))
        let listed = Dictionary(page.walks.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let twice = try await node.rows(
            "SELECT 1 FROM walklog_walk GROUP BY recording HAVING count(*) > 1")
        if !twice.isEmpty { world.violated("\(node.name) has two walks of one recording") }
        let files = Self.files(of: node)
        for (id, one) in kept.sorted(by: { $0.key.string < $1.key.string }) {
            switch one.isDeleted.sure {
            case false?:
                guard let walk = listed[id], walk.measures == one.walk.measures,
                    walk.startedMs == one.walk.startedMs, walk.endedMs == one.walk.endedMs,
                    walk.company.dogs == one.walk.company.dogs,
                    walk.company.request == one.walk.company.request
                else {
                    world.violated(
                        "\(node.name) does not list the walk \(id.string) as it was kept")
                    continue
                }
                world.count("kept walks at rest")
            case true?:
                if listed[id] != nil { world.violated("\(node.name) lists a deleted walk") }
                world.count("deleted walks at rest")
                if let hash = one.content { try await checkGone(hash, of: node, files) }
            case nil: continue
            }
        }
    }

    /// Returns the devices that must show the same ways, and the newest walks that have one.
    private func newestWays(
        of person: SimulatedPerson
    ) -> (nodes: [SimulatedNode], walks: [RecordedWalk]) {
        let (nodes, kept) = keptWalks(of: person)
        let walks = kept.values.filter { $0.isDeleted.sure == false }.map(\.walk)
            .sorted { ($0.startedMs, $0.id.string) > ($1.startedMs, $1.id.string) }
        return (nodes, Array(walks.prefix(Self.tracksCount)))
    }

    /// Looks at the ways of a person's newest walks on all their devices, which fetches them.
    func lookAtWays(of person: SimulatedPerson) async throws {
        let (nodes, walks) = newestWays(of: person)
        guard nodes.count > 1 else { return }
        for walk in walks {
            for node in nodes { _ = try await track(of: walk, on: node) }
        }
    }

    /// Checks that all devices of a person show the ways of the newest walks alike.
    func ways(of person: SimulatedPerson) async throws {
        let (nodes, walks) = newestWays(of: person)
        for walk in walks {
            let tracks = try await nodes.asyncMap { try await track(of: walk, on: $0) }
            world.count("ways at rest")
            let isWhole = tracks.allSatisfy { $0.points.count == walk.measures.pointsCount.value }
            guard isWhole, Set(tracks).count == 1 else {
                world.violated(
                    "\(nodes.map(\.name)) show different ways of a walk of "
                        + "\(walk.measures.pointsCount) points")
                continue
            }
        }
    }

    private func track(of walk: RecordedWalk, on node: SimulatedNode) async throws -> WalkTrack {
        try await node.call(WalkLogCommands.track, .init(id: RecordPrefix(walk.id)))
    }

    // MARK: - Shared walks at rest

    /// Checks that all devices of two mates have each walk that one shows to the other, with the
    /// same bytes, and nothing of one that was taken back.
    func sharedWalks(of person: SimulatedPerson, with mate: SimulatedPerson) async throws {
        guard !person.ledger.isVoid else { return }
        let places = Set(person.present.map(\.node.place))
        let shown = person.walks.with { $0.shown }
            .filter { $1.mate == mate.id && $1.devices.isSubset(of: places) }
            .sorted { $0.key.string < $1.key.string }
        guard !shown.isEmpty else { return }
        // While a clock is years off, a device may hold what the other one waits for.
        let isFar = people.contains(where: \.wasFarOff)
        let nodes = isFar ? [person.node, mate.node] : (person.present + mate.present).map(\.node)
        for node in nodes {
            let rows = Dictionary(
                try await node.rows("SELECT entity, way FROM walklog_shared").map {
                    ($0.entity("entity")?.description ?? "", $0.bytes("way") ?? [])
                }, uniquingKeysWith: { $1 })
            for (id, one) in shown {
                try await compare(one, id.string, with: rows[id.string], on: node)
                // One walk may be shown to several mates, or again.
                guard one.isTakenBack.sure == true, let way = one.way,
                    !rows.values.contains(way)
                else { continue }
                try await checkGone(way, of: id.string, on: node)
            }
        }
        try await listedShares(of: person, at: mate, shown)
    }

    private func compare(
        _ one: WalkBook.Shown, _ id: String, with way: [UInt8]?, on node: SimulatedNode
    ) async throws {
        switch one.isTakenBack.sure {
        case false?:
            world.count("shared walks at rest")
            if way == nil || one.way != nil && way != one.way {
                world.violated("\(node.name) does not have the shared walk \(id) as it was shown")
            }
        case true?:
            world.count("walks taken back at rest")
            if way != nil { world.violated("\(node.name) has the walk \(id) that was taken back") }
        case nil: return
        }
    }

    /// Checks that no batch holds the way of a walk that was taken back.
    private func checkGone(_ way: [UInt8], of id: String, on node: SimulatedNode) async throws {
        guard way.count >= Self.soughtBytesMin else { return }
        let bodies = try await node.rows(
            "SELECT 1 FROM batch WHERE instr(body, ?) > 0 LIMIT 1", [.bytes(way)])
        world.count("ways looked for")
        if !bodies.isEmpty {
            world.violated("\(node.name) stores the way of the walk \(id), taken back")
        }
    }

    /// The length of the shortest way that no other bytes resemble.
    private static let soughtBytesMin = 16

    /// Checks that a mate's list and inbox show the walks that stand, and none that was taken back.
    private func listedShares(
        of person: SimulatedPerson, at mate: SimulatedPerson,
        _ shown: [(key: RecordKey, value: WalkBook.Shown)]
    ) async throws {
        let listed = Set(
            try await mate.node.call(WalkLogCommands.shared).walks.filter { !$0.mine }.map(\.id))
        let open = Set(
            try await mate.node.call(InboxCommands.list).items.filter { !$0.handled }
                .compactMap(\.ref?.string))
        for (id, one) in shown {
            switch one.isTakenBack.sure {
            case false? where !listed.contains(id) && shown.count <= Self.listedSharesMax:
                world.violated("\(mate.node.name) does not list a walk of \(person.node.name)")
            case true? where listed.contains(id) || open.contains("walk-\(id.string)"):
                world.violated("\(mate.node.name) still shows a walk of \(person.node.name)")
            default: continue
            }
        }
    }

    /// The most walks of one mate in a list.
    private static let listedSharesMax = 20
}
