internal import Foundation
internal import Identity
internal import Records
internal import Replica
internal import Sync
internal import TestSupport

/// The run of one seed: nodes, links and time, in a single thread of events.
///
/// All random values come from one generator in the order of the events, and each call to a replica
/// is awaited, so that a seed always gives the same run.
final class World {
    /// A planned event.
    enum Event {
        case edit(Int)
        case dial(Int, Int)
        case drain(link: Int, end: Int)
        case arrive(link: Int, end: Int, VirtualLink.Frame)
        case learnOfCut(link: Int, end: Int)
        case tend(link: Int, end: Int)
        case befriend(Int, Int)
        case addMate(node: Int, person: Int)
        case erase(Int)
        case govern
        case accept(node: Int, SpaceDescriptor)
        case openGroup(node: Int, SpaceDescriptor)
        case fault(Fault)
        case restart(Int)
        case releaseDue
        case lie
        case flood
        case hoard
        case beginLate(Unbegun)
        case photo(PhotoEvent)
        case device(DeviceEvent)
    }

    /// A fault of a node or of the network.
    enum Fault {
        case cut
        case part
        case unite
        case crash(isOnceStored: Bool)
        case storeCopy(Int)
        case restore(Int, isWhole: Bool)
        case setClock
    }

    let mix: Mix
    var chance: SeededGenerator
    /// The generator of everything that was added later: misdeeds and epochs.
    var floodChance: SeededGenerator
    /// The generator of everything that a liar hoards.
    var hoardChance: SeededGenerator
    /// The generator of everything about content.
    var photoChance: SeededGenerator
    /// The generator of everything about devices that join or are removed.
    var deviceChance: SeededGenerator
    var society: Society { didSet { allowed = [:] } }
    var nodes: [VirtualNode] = []
    var links: [Int: VirtualLink] = [:]
    var nextLink = 0
    var queue = EventQueue<Event>()
    var now: Int64 = 0
    var trace: Trace
    var tally = Tally()
    var ledger = Ledger()
    /// The blocked directions, as `from * 16 + to`.
    var blocked: Set<Int> = []
    /// The quota of every node, which is small while a liar fills it.
    var quota = StorageQuota()
    /// Whether a liar's logs may be incomplete for lack of room.
    var isRoomShort = false
    /// The spaces that the liar fills, and the records that it changed before they began.
    var hoarded: [Hoard: SpaceID] = [:]
    var unbegun: [Unbegun] = []
    /// The liar's next runs that its own replica has no room for.
    var refusedRuns: [SpaceID: Run] = [:]
    /// Whether faults have ended for now.
    var isCalm = false
    /// All notes created so far, which edits use.
    var notes: [SpaceID: [EntityID]] = [:]
    /// The erased data.
    var erased: [SpaceID: [Erased]] = [:]
    /// The decisions about members of groups.
    var rulings: [SpaceID: [Ruling]] = [:]
    /// The content that was put.
    var photos = PhotoBook()
    /// The number of times that the content under way was looked at.
    var tendsCount = 0
    /// For each log of a removed device, the cuts that end it.
    var endings: [SpaceID: [LogName: [Ending]]] = [:]
    /// Frames of earlier links by their sending node, for replays.
    var oldFrames: [Int: [VirtualLink.Frame]] = [:]
    /// The executor of the whole run.
    let executor: any SerialExecutor
    /// The cache of the runs that the checks have proven.
    let proven = ProvenRuns()
    /// The spaces that each person may hold, filled on request.
    private var allowed: [Int: Set<SpaceID>] = [:]

    /// The start time of a run, in milliseconds since 1970.
    static let epoch = Timestamp(milliseconds: 1_700_000_000_000)

    /// Creates the nodes of a seed in a directory of the run's own.
    init(
        seed: UInt64, directory: String, isTraced: Bool, executor: any SerialExecutor
    ) throws {
        var chance = SeededGenerator(seed: seed)
        mix = Mix(seed: seed, using: &chance)
        society = try Society(mix, using: &chance)
        trace = Trace(isPrinted: isTraced)
        self.chance = chance
        floodChance = SeededGenerator(seed: seed &* 2_862_933_555_777_941_757 &+ 11)
        hoardChance = SeededGenerator(seed: seed &* 3_202_034_522_624_059_733 &+ 7)
        deviceChance = SeededGenerator(seed: seed &* 1_442_695_040_888_963_407 &+ 17)
        photoChance = SeededGenerator(seed: seed &* 6_364_136_223_846_793_005 &+ 13)
        self.executor = executor
        trace.record(0, "seed \(seed) \(mix.text)")
        for (person, owner) in society.people.enumerated() {
            for key in owner.devices { try addNode(of: person, key, in: directory) }
        }
        for (person, key) in society.joining {
            try addNode(of: person, key, in: directory)
            nodes[nodes.count - 1].isAbsent = true
        }
    }

    private func addNode(of person: Int, _ key: DeviceKey, in directory: String) throws {
        let index = nodes.count
        nodes.append(
            VirtualNode(
                index: index, person: person, key: key,
                isLiar: society.people[person].id == society.liar,
                home: try NodeHome("\(directory)/\(index)"), epoch: floodChance.nonce(),
                clockOffset: drawOffset()))
    }

    /// Returns the nodes of a person's devices.
    func nodes(of person: Int) -> [Int] { nodes.indices.filter { nodes[$0].person == person } }

    /// Whether a person may hold a space.
    func mayHold(_ space: SpaceID, _ person: Int) -> Bool {
        if let known = allowed[person] { return known.contains(space) }
        let spaces = Set(spaces(of: person).map(\.id))
        allowed[person] = spaces
        return spaces.contains(space)
    }

    // MARK: Time

    /// Plans an event after a time.
    func plan(_ event: Event, after milliseconds: Int64) {
        queue.plan(event, at: now + milliseconds)
    }

    /// Plans an event after a random time in a range.
    func plan(_ event: Event, within milliseconds: ClosedRange<Int>) {
        plan(event, after: Int64(chance.number(milliseconds)))
    }

    /// Processes the events that are due until a time.
    func run(until end: Int64) async throws {
        while let (time, event) = queue.next(by: end) {
            now = time
            try await happen(event)
        }
        now = end
    }

    private func happen(_ event: Event) async throws {
        switch event {
        case .edit(let node): try await edit(node)
        case .dial(let one, let other): try await dial(one, other)
        case .drain(let link, let end): try await drain(link, end)
        case .arrive(let link, let end, let frame): try await arrive(frame, at: end, of: link)
        case .learnOfCut(let link, let end): close(link, end)
        case .tend(let link, let end): try await tend(link, end)
        case .befriend(let one, let other): befriend(one, other)
        case .addMate(let node, let person): try await addMate(node: node, person: person)
        case .erase(let node): try await erase(node)
        case .govern: try await govern()
        case .accept(let node, let group): try await accept(group, at: node)
        case .openGroup(let node, let group): try await openGroup(group, at: node)
        case .fault(let fault): try await befall(fault)
        case .restart(let node): try await start(node)
        case .releaseDue: try await releaseDue()
        case .lie: try await lie()
        case .flood: try await flood()
        case .hoard: try await hoard()
        case .beginLate(let record): try await begin(record)
        case .photo(let event): try await happen(event)
        case .device(let event): try await happen(event)
        }
    }

    /// Returns all batches of a space, as a replica would send them to another device.
    func batches(
        in space: SpaceID, of replica: Replica
    ) async throws -> [ReferenceModel.Batch] {
        try await replica.batches(in: space, person: society.person, proven)
    }

    // MARK: Clocks

    /// Returns a node's wall clock.
    func wall(_ node: Int) -> Timestamp {
        let wall = World.epoch + .milliseconds(now + nodes[node].clockOffset)
        nodes[node].latestWall = max(nodes[node].latestWall, wall)
        return wall
    }

    /// Draws the error of a clock: a few seconds, and in a wild run also hours or years.
    func drawOffset() -> Int64 {
        let seconds = mix.isClockWild ? [3, 3600, 90_000, 315_360_000][chance.number(0...3)] : 3
        return Int64(chance.number(-seconds * 1000...seconds * 1000))
    }

    private func releaseDue() async throws {
        for node in nodes.indices { try await release(node) }
        plan(.releaseDue, after: 60_000)
    }

    /// Merges the batches that have become due on a node.
    func release(_ node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        let commits = try await replica.releaseDue(wallTime: wall(node))
        nodes[node].record(commits)
        for space in Set(commits.map(\.space)).sorted() { try await advance(space, at: node) }
        try await refreshGroups(node)
    }
}
