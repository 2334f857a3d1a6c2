internal import Foundation
internal import Identity
internal import Records
internal import Replica
internal import Sync
internal import TestSupport

/// One seed's run: nodes, links and time, in one thread of events.
///
/// Everything is drawn from one generator in the order of the events, and each question to a
/// replica is waited for, so that a seed is one run and no other.
final class World {
    /// What happens at a time.
    enum Event {
        case edit(Int)
        case dial(Int, Int)
        case drain(link: Int, end: Int)
        case arrive(link: Int, end: Int, VirtualLink.Frame)
        case learnOfCut(link: Int, end: Int)
        case tend(link: Int, end: Int)
        case befriend(Int, Int)
        case takeForMate(node: Int, person: Int)
        case erase(Int)
        case govern
        case accept(node: Int, SpaceDescriptor)
        case openGroup(node: Int, SpaceDescriptor)
        case fault(Fault)
        case restart(Int)
        case releaseDue
        case lie
    }

    /// What befalls nodes and the network.
    enum Fault {
        case cut
        case part
        case unite
        case crash(isOnceStored: Bool)
        case takeCopy(Int)
        case restore(Int, isWhole: Bool)
        case setClock
    }

    let mix: Mix
    var chance: SeededGenerator
    var society: Society { didSet { allowed = [:] } }
    var nodes: [VirtualNode] = []
    var links: [Int: VirtualLink] = [:]
    var nextLink = 0
    var queue = EventQueue<Event>()
    var now: Int64 = 0
    var trace: Trace
    var tally = Tally()
    var ledger = Ledger()
    /// Directions in which nothing gets through, as `from * 16 + to`.
    var blocked: Set<Int> = []
    /// Whether faults have ended for now.
    var isCalm = false
    /// All notes begun so far, which edits are about.
    var notes: [SpaceID: [EntityID]] = [:]
    /// What was erased.
    var erased: [SpaceID: [Erased]] = [:]
    /// What people did about who belongs to groups.
    var rulings: [SpaceID: [Ruling]] = [:]
    /// Frames of earlier links by the sending node, for replays.
    var oldFrames: [Int: [VirtualLink.Frame]] = [:]
    /// What everything of the run runs on.
    let executor: any SerialExecutor
    /// What the checks have proven of the runs that they read.
    let proven = ProvenRuns()
    /// The spaces that each person may hold, as far as somebody asked.
    private var allowed: [Int: Set<SpaceID>] = [:]

    /// When a run begins, in milliseconds since 1970.
    static let epoch: Int64 = 1_700_000_000_000

    /// Makes the nodes of a seed, in a directory of the run's own.
    init(
        seed: UInt64, directory: String, isTraced: Bool, executor: any SerialExecutor
    ) throws {
        var chance = SeededGenerator(seed: seed)
        mix = Mix(seed: seed, using: &chance)
        society = try Society(mix, using: &chance)
        trace = Trace(isPrinted: isTraced)
        self.chance = chance
        self.executor = executor
        trace.note(0, "seed \(seed) \(mix.text)")
        for (person, owner) in society.people.enumerated() {
            for key in owner.devices {
                let index = nodes.count
                nodes.append(
                    VirtualNode(
                        index: index, person: person, key: key, isLiar: owner.id == society.liar,
                        home: try NodeHome("\(directory)/\(index)"), clockOffset: drawOffset()))
            }
        }
    }

    /// The devices of a person, by their nodes.
    func nodes(of person: Int) -> [Int] { nodes.indices.filter { nodes[$0].person == person } }

    /// Whether a person may hold a space.
    func mayHold(_ space: SpaceID, _ person: Int) -> Bool {
        if let known = allowed[person] { return known.contains(space) }
        let spaces = Set(spaces(of: person).map(\.id))
        allowed[person] = spaces
        return spaces.contains(space)
    }

    // MARK: Time

    /// Plans an event some time from now.
    func plan(_ event: Event, after milliseconds: Int64) {
        queue.plan(event, at: now + milliseconds)
    }

    /// Plans an event at a time drawn from a range from now on.
    func plan(_ event: Event, within milliseconds: ClosedRange<Int>) {
        plan(event, after: Int64(chance.number(milliseconds)))
    }

    /// Lets happen what is due until a time.
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
        case .takeForMate(let node, let person): try await takeForMate(node: node, person: person)
        case .erase(let node): try await erase(node)
        case .govern: try await govern()
        case .accept(let node, let group): try await accept(group, at: node)
        case .openGroup(let node, let group): try await openGroup(group, at: node)
        case .fault(let fault): try await befall(fault)
        case .restart(let node): try await start(node)
        case .releaseDue: try await releaseDue()
        case .lie: try await lie()
        }
    }

    /// All batches of a space, as a replica would serve them to another device.
    func batches(
        in space: SpaceID, of replica: Replica
    ) async throws -> [ReferenceModel.Batch] {
        try await replica.batches(in: space, person: society.person, proven)
    }

    // MARK: Clocks

    /// A node's wall clock, in milliseconds since 1970.
    func wall(_ node: Int) -> Int64 {
        let wall = World.epoch + now + nodes[node].clockOffset
        nodes[node].latestWall = max(nodes[node].latestWall, wall)
        return wall
    }

    /// How far a clock is off: a few seconds, and on a wild run also hours or years.
    func drawOffset() -> Int64 {
        let seconds = mix.isClockWild ? [3, 3600, 90_000, 315_360_000][chance.number(0...3)] : 3
        return Int64(chance.number(-seconds * 1000...seconds * 1000))
    }

    private func releaseDue() async throws {
        for node in nodes.indices { try await release(node) }
        plan(.releaseDue, after: 60_000)
    }

    /// Merges what has become due on a node.
    func release(_ node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        let commits = try await replica.releaseDue(wallMilliseconds: wall(node))
        nodes[node].note(commits)
        for space in Set(commits.map(\.space)).sorted() { try await advance(space, at: node) }
        try await refreshGroups(node)
    }
}
