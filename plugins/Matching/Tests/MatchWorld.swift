import PluginKit
import Records
import TestSupport

@testable import Matching

/// Two sides, a third person who asks the first one, and everything that was ever sent between
/// them. A sent message stays: it may arrive at any time, again, late or never. So every loss,
/// repetition and order is among the ways to go on.
struct MatchWorld: Hashable {
    /// One side: its session, and what is on its disk.
    struct Side: Hashable {
        var session: MatchSession
        /// My facts, with the person of each.
        var facts: [MatchID: PersonID] = [:]
        /// My ends of matches; true if the other side need not be told.
        var ends: [MatchID: Bool] = [:]
        /// The facts and ends of the other side that have arrived.
        var theirFacts: Set<MatchID> = []
        var theirEnds: Set<MatchID> = []
        var sentCount = 0
        var pressesLeft = 1
        var answersLeft = 0
        var cancelsLeft = 1
        var declinesLeft = 0
        var withdrawsLeft = 0
        var idCount: UInt8 = 0
    }

    /// A message on its way.
    struct Letter: Hashable, Comparable {
        let message: MatchMessage
        let from: Int
        let to: Int

        static func < (one: Letter, other: Letter) -> Bool { one.order < other.order }
        private var order: String { "\(from)\(to)\(message)" }
    }

    /// The third person, who asks the first side, stores a fact if they accept, and then confirms.
    struct Third: Hashable {
        var hasAsked = false
        var facts: Set<MatchID> = []
    }

    /// A step that may happen.
    enum Step: Hashable {
        case press(Int, PersonID)
        case cancel(Int)
        case decline(Int)
        case withdraw(Int)
        case kill(Int)
        /// A kill after which the facts are not read before the step `read`, or a sync.
        case killUnread(Int)
        case read(Int)
        case deliver(Letter)
        case sync(Int)
        case minute
        case thirdAsks
    }

    static let people: [Peer] = [UInt8(1), 2, 3].map { (number: UInt8) -> Peer in
        let device = DeviceID(raw: bytes(16 + number))
        return Peer(device: device, person: PersonID(raw: bytes(number)))
    }
    static let thirdRequest = MatchID(
        madeBy: people[2].device, nonce: Bytes16([UInt8](repeating: 9, count: 16)) ?? .zero)

    var sides: [Side]
    var letters: Set<Letter> = []
    var third = Third()
    var now = Duration.zero
    var killsLeft: Int
    var minutesLeft: Int
    let sentMax: Int
    let hasThird: Bool
    let areReadLate: Bool

    /// - Parameters:
    ///   - presses: the times that each side presses; a side that has none accepts what it is
    ///     asked, once.
    ///   - areReadLate: whether the facts are read at some time after a kill.
    init(
        presses: [Int] = [1, 1], kills: Int = 0, minutes: Int = 0, cancels: [Int] = [0, 0],
        declines: [Int] = [0, 0], withdraws: [Int] = [0, 0], sentMax: Int = 6,
        hasThird: Bool = false, areReadLate: Bool = false
    ) {
        sides = (0..<2).map { index in
            var session = MatchSession(me: Self.people[index])
            _ = session.read(MatchFacts(), now: .zero)
            _ = try? session.look()
            var side = Side(session: session)
            side.declinesLeft = declines[index]
            side.withdrawsLeft = withdraws[index]
            side.cancelsLeft = cancels[index]
            side.pressesLeft = presses[index]
            side.answersLeft = presses[index] == 0 ? 1 : 0
            return side
        }
        (killsLeft, minutesLeft, self.sentMax) = (kills, minutes, sentMax)
        self.hasThird = hasThird
        self.areReadLate = areReadLate
    }

    /// The steps that are possible now.
    var steps: [Step] {
        var steps: [Step] = []
        for index in 0...1 {
            let side = sides[index]
            let other = Self.people[1 - index].person
            let isAsked = side.answersLeft > 0 && side.session.asked[other] != nil
            if side.session.isSeeking, side.pressesLeft > 0 || isAsked {
                steps.append(.press(index, other))
            }
            if index == 0, hasThird, side.session.asked[Self.people[2].person] != nil,
                side.session.commitment == nil
            {
                steps.append(.press(0, Self.people[2].person))
            }
            if side.cancelsLeft > 0, side.session.commitment != nil { steps.append(.cancel(index)) }
            if side.declinesLeft > 0, side.session.asked[other] != nil {
                steps.append(.decline(index))
            }
            if side.withdrawsLeft > 0, side.session.requests[other] != nil {
                steps.append(.withdraw(index))
            }
            if killsLeft > 0 { steps.append(areReadLate ? .killUnread(index) : .kill(index)) }
            if !side.session.hasReadFacts { steps.append(.read(index)) }
            if canSync(to: index) { steps.append(.sync(index)) }
        }
        if minutesLeft > 0 { steps.append(.minute) }
        if hasThird, !third.hasAsked { steps.append(.thirdAsks) }
        return steps + letters.map { .deliver($0) }
    }

    /// Performs one step.
    mutating func perform(_ step: Step) {
        switch step {
        case .press(let index, let person):
            if person != Self.people[2].person {
                if sides[index].pressesLeft > 0 {
                    sides[index].pressesLeft -= 1
                } else {
                    sides[index].answersLeft -= 1
                }
            }
            sides[index].idCount += 1
            let id = MatchID(
                madeBy: Self.people[index].device,
                nonce: Bytes16([UInt8](repeating: sides[index].idCount, count: 16)) ?? .zero)
            if let effects = try? sides[index].session.press(person, id: id, now: now) {
                perform(effects, on: index)
            }
        case .cancel(let index):
            sides[index].cancelsLeft -= 1
            perform(sides[index].session.cancel(now: now), on: index)
        case .decline(let index):
            sides[index].declinesLeft -= 1
            perform(sides[index].session.decline(Self.people[1 - index].person), on: index)
        case .withdraw(let index):
            sides[index].withdrawsLeft -= 1
            perform(sides[index].session.withdraw(Self.people[1 - index].person), on: index)
        case .kill(let index):
            killsLeft -= 1
            restart(index)
            readFacts(index)
        case .killUnread(let index):
            killsLeft -= 1
            restart(index)
        case .read(let index): readFacts(index)
        case .deliver(let letter): deliver(letter)
        case .sync(let index): sync(to: index)
        case .minute:
            minutesLeft -= 1
            pass(.seconds(60))
        case .thirdAsks:
            third.hasAsked = true
            letters.insert(
                Letter(message: .request(Self.thirdRequest, name: nil), from: 2, to: 0))
        }
    }

    /// Lets time pass and the sides tick.
    mutating func pass(_ duration: Duration) {
        now += duration
        for index in 0...1 { perform(sides[index].session.tick(now: now), on: index) }
    }

    /// Starts a side again: everything that is not on its disk is lost.
    mutating func restart(_ index: Int) {
        var session = MatchSession(me: Self.people[index])
        _ = try? session.look()
        sides[index].session = session
    }

    mutating func deliver(_ letter: Letter) {
        guard letter.to < 2 else { return deliverToThird(letter) }
        perform(
            sides[letter.to].session.receive(
                letter.message, from: Self.people[letter.from].person, now: now),
            on: letter.to)
    }

    private mutating func deliverToThird(_ letter: Letter) {
        guard case .accept(let request, let match) = letter.message,
            request == Self.thirdRequest, third.facts.isEmpty || third.facts == [match]
        else { return }
        third.facts.insert(match)
        letters.insert(Letter(message: .confirm(match), from: 2, to: 0))
    }

    // MARK: - Disks

    /// Whether a side shares the space of the two: its fact is not over as far as it knows, or its
    /// end is not known to the other.
    private func shares(_ index: Int) -> Bool {
        let side = sides[index]
        let other = Self.people[1 - index].person
        return side.facts.contains { id, person in
            person == other
                && (side.ends[id] == nil && !side.theirEnds.contains(id) || side.ends[id] == false)
        }
    }

    /// Whether records of the other side would arrive now that are not here.
    private func canSync(to index: Int) -> Bool {
        guard shares(0), shares(1) else { return false }
        let (side, other) = (sides[index], sides[1 - index])
        let me = Self.people[index].person
        return !Set(other.facts.filter { $0.value == me }.keys).isSubset(of: side.theirFacts)
            || !Set(other.ends.keys).isSubset(of: side.theirEnds)
    }

    private mutating func sync(to index: Int) {
        guard shares(0), shares(1) else { return }
        let me = Self.people[index].person
        let other = sides[1 - index]
        sides[index].theirFacts.formUnion(other.facts.filter { $0.value == me }.keys)
        for id in other.ends.keys {
            sides[index].theirEnds.insert(id)
            // What this side has stored is acknowledged.
            sides[1 - index].ends[id] = true
            // A match that the other side ended is over here too.
            if sides[index].facts[id] != nil, sides[index].ends[id] == nil {
                sides[index].ends[id] = true
            }
        }
        readFacts(index)
        readFacts(1 - index)
    }

    private mutating func readFacts(_ index: Int) {
        var facts = MatchFacts()
        let side = sides[index]
        for (id, person) in side.facts where side.ends[id] == nil {
            guard !side.theirEnds.contains(id) else { continue }
            let isThird = person == Self.people[2].person
            facts.held.append(
                HeldMatch(
                    person: person, id: id,
                    stands: isThird
                        ? third.facts.contains(id) : side.theirFacts.contains(id),
                    order: 0))
        }
        for (id, isKnown) in side.ends where !isKnown {
            if let person = side.facts[id] { facts.untold[id] = person }
        }
        facts.ended = Set(side.ends.keys)
        perform(sides[index].session.read(facts, now: now), on: index)
    }

    private mutating func perform(_ effects: [MatchSession.Effect], on index: Int) {
        for effect in effects {
            switch effect {
            case .send(let message, let person):
                // At most six messages of each side are sent; later ones are lost.
                guard let to = Self.people.firstIndex(where: { $0.person == person }) else {
                    continue
                }
                let letter = Letter(message: message, from: index, to: to)
                guard !letters.contains(letter), sides[index].sentCount < sentMax else { continue }
                sides[index].sentCount += 1
                letters.insert(letter)
            case .store(let person, let id):
                sides[index].facts[id] = person
                readFacts(index)
            case .end(_, let id, _, let isKnown):
                guard sides[index].facts[id] != nil else { continue }
                sides[index].ends[id] = (sides[index].ends[id] ?? false) || isKnown
            case .asked, .matched, .changed: break
            }
        }
    }

    // MARK: - Properties

    /// The matches that stand: both facts, and no end anywhere.
    func standing(of index: Int) -> [MatchID] {
        let side = sides[index]
        return side.facts.keys.filter { id in
            guard side.ends[id] == nil else { return false }
            if side.facts[id] == Self.people[2].person { return third.facts.contains(id) }
            return sides[1 - index].facts[id] != nil && sides[1 - index].ends[id] == nil
        }
    }

    /// Makes a contact without loss: records are exchanged, and the sides repeat what is open until
    /// nothing changes.
    mutating func meet() {
        letters = []
        for index in 0...1 {
            sides[index].sentCount = .min / 2
            if !sides[index].session.hasReadFacts { readFacts(index) }
        }
        let everyone = Set(Self.people.map(\.person))
        // Acceptances lapse within three rounds.
        for round in 0..<6 {
            if round == 0 {
                for index in 0...1 {
                    perform(
                        sides[index].session.linked(Self.people[1 - index].person), on: index)
                }
            }
            while true {
                let due = letters.sorted()
                letters = []
                for letter in due { deliver(letter) }
                var isSynced = false
                for index in 0...1 where canSync(to: index) {
                    sync(to: index)
                    isSynced = true
                }
                if letters.isEmpty, !isSynced { break }
            }
            if round > 0, sides.allSatisfy({ $0.session.isQuiet(linked: everyone) }) { break }
            pass(.seconds(20))
        }
    }

    private static func bytes(_ value: UInt8) -> Bytes32 {
        Bytes32([UInt8](repeating: value, count: 32)) ?? .zero
    }
}
