import PluginKit
import PostsAPI
import Records
import TestSupport

@testable import Posts

/// Two sides of correspondences, and everything that was ever sent between them. A sent message
/// stays: it may arrive at any time, again, late or never.
struct CorrespondenceWorld: Hashable {
    /// One side: its session, and what is on its disk.
    struct Side: Hashable {
        var session: CorrespondenceSession
        /// My facts; true if I asked.
        var facts: [Bytes16: Bool] = [:]
        /// My ends; true if the other side need not be told.
        var ends: [Bytes16: Bool] = [:]
        /// The facts and ends of the other side that have arrived.
        var theirFacts: Set<Bytes16> = []
        var theirEnds: Set<Bytes16> = []
        var declined: Set<Bytes16> = []
        var sentCount = 0
        var asksLeft: Int
        var acceptsLeft: Int
        var declinesLeft: Int
        var endsLeft: Int
        var idCount: UInt8 = 0
    }

    /// A message on its way.
    struct Letter: Hashable {
        let letter: CorrespondenceSession.Letter
        let from: Int
        var order: String { "\(from)\(letter)" }
    }

    /// A step that may happen.
    enum Step: Hashable {
        case ask(Int)
        case accept(Int)
        case decline(Int)
        case end(Int)
        case kill(Int)
        case week
        case deliver(Letter)
        case sync(Int)
    }

    static let people = [UInt8(1), 2].map {
        PersonID(raw: Bytes32([UInt8](repeating: $0, count: 32)) ?? .zero)
    }

    var sides: [Side]
    var letters: Set<Letter> = []
    /// The time at which each request was written.
    var times: [Bytes16: Timestamp] = [:]
    var now = Timestamp(milliseconds: 1_000_000)
    var killsLeft: Int
    var weeksLeft: Int
    let sentMax: Int

    init(
        asks: [Int] = [1, 0], accepts: [Int] = [1, 1], declines: [Int] = [0, 0],
        ends: [Int] = [0, 0], kills: Int = 0, weeks: Int = 0, sentMax: Int = 4
    ) {
        sides = (0..<2).map { index in
            var session = CorrespondenceSession(me: Self.people[index])
            _ = session.read(CorrespondenceFacts())
            return Side(
                session: session, asksLeft: asks[index], acceptsLeft: accepts[index],
                declinesLeft: declines[index], endsLeft: ends[index])
        }
        (killsLeft, weeksLeft, self.sentMax) = (kills, weeks, sentMax)
    }

    /// The steps that are possible now.
    var steps: [Step] {
        var steps: [Step] = []
        for index in 0...1 {
            let side = sides[index]
            let isAsked = side.session.asked[Self.people[1 - index]] != nil
            let isHeld = !side.session.held(with: Self.people[1 - index]).isEmpty
            if side.asksLeft > 0, !isHeld { steps.append(.ask(index)) }
            if isAsked, side.acceptsLeft > 0 { steps.append(.accept(index)) }
            if isAsked, side.declinesLeft > 0 { steps.append(.decline(index)) }
            if isHeld, side.endsLeft > 0 { steps.append(.end(index)) }
            if killsLeft > 0 { steps.append(.kill(index)) }
            if canSync(to: index) { steps.append(.sync(index)) }
        }
        if weeksLeft > 0 { steps.append(.week) }
        return steps + letters.map { .deliver($0) }
    }

    /// Performs one step.
    mutating func perform(_ step: Step) {
        switch step {
        case .ask(let index):
            sides[index].asksLeft -= 1
            // Who asks a person who asked them accepts.
            if let asked = sides[index].session.asked[Self.people[1 - index]] {
                return store(asked.request.id, isMine: false, on: index)
            }
            sides[index].idCount += 1
            let number = UInt8(16 * (index + 1)) + sides[index].idCount
            let id = Bytes16([UInt8](repeating: number, count: 16)) ?? .zero
            times[id] = now
            store(id, isMine: true, on: index)
        case .accept(let index):
            sides[index].acceptsLeft -= 1
            guard let asked = sides[index].session.asked[Self.people[1 - index]] else { return }
            store(asked.request.id, isMine: false, on: index)
        case .decline(let index):
            sides[index].declinesLeft -= 1
            guard let asked = sides[index].session.asked[Self.people[1 - index]] else { return }
            sides[index].declined.insert(asked.request.id)
            perform(
                sides[index].session.decline(asked.request.id, of: Self.people[1 - index]),
                on: index)
        case .end(let index):
            sides[index].endsLeft -= 1
            perform(sides[index].session.end(Self.people[1 - index]), on: index)
        case .kill(let index):
            killsLeft -= 1
            sides[index].session = CorrespondenceSession(me: Self.people[index])
            readFacts(index)
        case .week:
            weeksLeft -= 1
            now = now + PostMessageCommands.waitMax
            for index in 0...1 { perform(sides[index].session.tick(now: now), on: index) }
        case .deliver(let letter): deliver(letter)
        case .sync(let index): sync(to: index)
        }
    }

    private mutating func store(_ id: Bytes16, isMine: Bool, on index: Int) {
        sides[index].facts[id] = isMine
        readFacts(index)
        perform(sides[index].session.announce(id), on: index)
    }

    private mutating func deliver(_ letter: Letter) {
        let (to, sender) = (1 - letter.from, Self.people[letter.from])
        guard case .request(let id) = letter.letter else {
            return perform(sides[to].session.receive(letter.letter, from: sender), on: to)
        }
        let request = CorrespondenceRequest(
            id: id, sender: sender, receiver: Self.people[to],
            post: EntityID(raw: .zero), at: times[id] ?? now, text: "Hello")
        perform(sides[to].session.receive(request, name: nil, now: now), on: to)
    }

    private mutating func perform(_ effects: [CorrespondenceSession.Effect], on index: Int) {
        for effect in effects {
            switch effect {
            case .send(let letter, _):
                let sent = Letter(letter: letter, from: index)
                guard !letters.contains(sent), sides[index].sentCount < sentMax else { continue }
                sides[index].sentCount += 1
                letters.insert(sent)
            case .accept(let request):
                guard sides[index].facts[request.id] == nil else { continue }
                sides[index].facts[request.id] = false
                readFacts(index)
            case .end(let id, _, let isKnown):
                guard sides[index].facts[id] != nil else { continue }
                sides[index].ends[id] = (sides[index].ends[id] ?? false) || isKnown
                readFacts(index)
            case .tell, .opened, .changed: break
            }
        }
    }

    // MARK: - Disks

    /// Whether a side shares the space of the two.
    private func shares(_ index: Int) -> Bool {
        let side = sides[index]
        return side.facts.keys.contains { id in
            side.ends[id] == nil && !side.theirEnds.contains(id) || side.ends[id] == false
        }
    }

    /// Whether records of the other side would arrive now that are not here.
    private func canSync(to index: Int) -> Bool {
        guard shares(0), shares(1) else { return false }
        let (side, other) = (sides[index], sides[1 - index])
        return !Set(other.facts.keys).isSubset(of: side.theirFacts)
            || !Set(other.ends.keys).isSubset(of: side.theirEnds)
    }

    private mutating func sync(to index: Int) {
        guard shares(0), shares(1) else { return }
        let other = sides[1 - index]
        sides[index].theirFacts.formUnion(other.facts.keys)
        for id in other.ends.keys {
            sides[index].theirEnds.insert(id)
            // What this side has stored is acknowledged.
            sides[1 - index].ends[id] = true
        }
        readFacts(index)
        readFacts(1 - index)
    }

    private mutating func readFacts(_ index: Int) {
        var facts = CorrespondenceFacts()
        let (side, person) = (sides[index], Self.people[1 - index])
        for (id, isMine) in side.facts.sorted(by: { $0.key.bytes[0] < $1.key.bytes[0] }) {
            if side.ends[id] != nil || side.theirEnds.contains(id) {
                facts.ended[id] = person
                if side.ends[id] == false || !side.theirFacts.contains(id) {
                    facts.untold.insert(id)
                }
            } else {
                facts.held.append(
                    HeldCorrespondence(
                        id: id, person: person, isMine: isMine,
                        stands: side.theirFacts.contains(id),
                        at: times[id] ?? now))
            }
        }
        facts.declined = side.declined
        perform(sides[index].session.read(facts), on: index)
    }

    // MARK: - Properties

    /// The correspondences that stand: both facts, and no end anywhere.
    var standing: Set<Bytes16> {
        Set(sides[0].facts.keys).intersection(sides[1].facts.keys)
            .subtracting(sides[0].ends.keys).subtracting(sides[1].ends.keys)
    }

    /// The correspondences that a side shows as open.
    func open(_ index: Int) -> Set<Bytes16> {
        Set(sides[index].session.facts.held.filter(\.stands).map(\.id))
    }

    /// Makes a contact without loss: records are exchanged, and the sides repeat what is open.
    mutating func meet() {
        letters = []
        for index in 0...1 { sides[index].sentCount = .min / 2 }
        for _ in 0..<3 {
            for index in 0...1 {
                perform(sides[index].session.linked(Self.people[1 - index]), on: index)
            }
            while true {
                let due = letters.sorted { $0.order < $1.order }
                letters = []
                for letter in due { deliver(letter) }
                var isSynced = false
                for index in 0...1 where canSync(to: index) {
                    sync(to: index)
                    isSynced = true
                }
                if letters.isEmpty, !isSynced { break }
            }
        }
    }
}
