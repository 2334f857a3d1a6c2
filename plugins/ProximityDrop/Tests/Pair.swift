import PluginKit
import ProximityDropAPI
import Records
import TestSupport

@testable import ProximityDrop

/// Two sides of a drop and a network between them, which may lose, repeat, delay and reorder
/// messages.
///
/// The edges that each side stores survive a kill, as they do in a replica. `meet` is the next
/// contact, in which both sides learn the other's edge.
struct Pair {
    /// One side: its session and its stored edge.
    struct Side {
        let me: Peer
        var session: DropSession
        var edge: Bytes16?
        var ended: Bytes16?
        var isAlive = true
        var isOpen = false
        var hasInvitation = false
        /// The nonce of the next press.
        var nonce: Bytes32
    }

    private struct Letter {
        let message: DropMessage
        let to: Int
        let due: Duration
    }

    var sides: [Side]
    var now = Duration.zero
    /// The numbers of messages in a hundred that are lost, repeated and late.
    var weather = (lost: 0, repeated: 0, late: 0)
    /// The thumbnail of each side's photo.
    var thumbnails: [[UInt8]?] = [nil, nil]
    /// Whether the sides' cards say that they read thumbnails.
    var areReading = false
    private var letters: [Letter] = []
    private(set) var generator: SeededGenerator
    /// Every message that was sent, for tests that replay messages.
    private(set) var sent: [DropMessage] = []

    static let cards = [
        DropCard(ProfileFields(nickname: "Ann", age: 4)),
        DropCard(ProfileFields(nickname: "Ben")),
    ]

    init(seed: UInt64 = 1) {
        generator = SeededGenerator(seed: seed)
        var sides: [Side] = []
        for _ in 0..<2 {
            let device = DeviceID(raw: generator.bytes32())
            let me = Peer(device: device, person: PersonID(raw: generator.bytes32()))
            sides.append(
                Side(me: me, session: DropSession(me: me), nonce: generator.bytes32()))
        }
        self.sides = sides
    }

    var phases: [DropPhase] { sides.map(\.session.phase) }

    /// Presses the button on a side.
    mutating func press(
        _ index: Int, target: Bool = true, isRanged: Bool = false, share: Bool = true,
        isBump: Bool = false
    ) throws {
        let other = sides[1 - index].me.device
        let effects = try sides[index].session.press(
            target: target && !isRanged ? other : nil, isRanged: isRanged, share: share,
            card: card(of: index),
            thumbnail: thumbnails[index], nonce: sides[index].nonce,
            candidates: candidates(of: index), isBump: isBump, now: now)
        sides[index].nonce = generator.bytes32()
        perform(effects, on: index)
    }

    /// Presses the button on a side, for a person whose device is not linked.
    mutating func press(_ index: Int, sighted: DropSession.Sighted) throws {
        let effects = try sides[index].session.press(
            target: nil, sighted: sighted, share: true, card: card(of: index),
            thumbnail: thumbnails[index], nonce: sides[index].nonce,
            candidates: candidates(of: index), now: now)
        sides[index].nonce = generator.bytes32()
        perform(effects, on: index)
    }

    private func card(of index: Int) -> DropCard {
        DropCard(Self.cards[index].fields, readsThumbnails: areReading)
    }

    /// Lets a side measure the other one.
    mutating func range(_ index: Int, _ metres: Double, direction: [Double]? = nil) {
        let report = RangeReport(
            device: sides[1 - index].me.device, distanceMetres: metres, direction: direction,
            uncertaintyMetres: 0.02)
        guard let measurement = try? RangeMeasurement(report, now: now) else { return }
        perform(sides[index].session.receive([measurement], now: now), on: index)
    }

    /// Tells a side the result of dialling.
    mutating func reach(_ index: Int, _ reach: NearbyReach) {
        perform(sides[index].session.reached(reach, now: now), on: index)
    }

    mutating func accept(_ index: Int) throws {
        perform(try sides[index].session.accept(now: now), on: index)
    }

    mutating func decline(_ index: Int) throws {
        perform(try sides[index].session.decline(now: now), on: index)
    }

    mutating func cancel(_ index: Int) throws {
        perform(try sides[index].session.cancel(now: now), on: index)
    }

    /// Kills a side: its memory is lost, its edge is kept.
    mutating func kill(_ index: Int) {
        sides[index].isAlive = false
        sides[index].isOpen = false
        sides[index].session = DropSession(me: sides[index].me)
        letters.removeAll { $0.to == index }
    }

    /// Starts a killed side again.
    mutating func restart(_ index: Int) { sides[index].isAlive = true }

    /// Lets seconds pass: in each second both sides tick and the network delivers what is due.
    mutating func pass(seconds: Int) { pass(milliseconds: seconds * 1000) }

    /// Lets time pass; the sides tick at each full second.
    mutating func pass(milliseconds: Int) {
        let end = now + .milliseconds(milliseconds)
        while now < end {
            let next = Duration.seconds(now.components.seconds + 1)
            now = min(next, end)
            guard now == next else { break }
            deliver()
            for index in sides.indices where sides[index].isAlive {
                perform(
                    sides[index].session.tick(candidates: candidates(of: index), now: now),
                    on: index)
                perform(sides[index].session.settle(relation(of: index)), on: index)
            }
            deliver()
        }
    }

    /// Delivers the messages that are due now, in an order drawn from the seed.
    mutating func deliver() {
        while let index = letters.indices.filter({ letters[$0].due <= now })
            .randomElement(using: &generator)
        {
            let letter = letters.remove(at: index)
            guard sides[letter.to].isAlive else { continue }
            receive(letter.message, on: letter.to, from: sides[1 - letter.to].me)
        }
    }

    /// Delivers a message from any peer to a side.
    mutating func receive(_ message: DropMessage, on index: Int, from sender: Peer) {
        perform(sides[index].session.receive(message, from: sender, now: now), on: index)
    }

    /// Performs the next contact: each side learns the other's stored edge of the meeting.
    mutating func meet() {
        for index in sides.indices {
            if let edge = sides[index].edge, sides[1 - index].ended == edge {
                sides[index].edge = nil
                sides[index].ended = edge
            }
            perform(sides[index].session.settle(relation(of: index)), on: index)
        }
    }

    /// Whether both edges exist and name one meeting.
    var areMates: Bool { sides[0].edge != nil && sides[0].edge == sides[1].edge }

    private func relation(of index: Int) -> Relation {
        guard let edge = sides[index].edge else { return .stranger }
        return sides[1 - index].edge == edge ? .mate : .waiting
    }

    private func candidates(of index: Int) -> [DeviceID] {
        sides[1 - index].isOpen && sides[1 - index].isAlive ? [sides[1 - index].me.device] : []
    }

    private mutating func perform(_ effects: [DropSession.Effect], on index: Int) {
        for effect in effects {
            switch effect {
            case .send(let message, let device): post(message, to: device)
            case .announceOpen(let isOpen): sides[index].isOpen = isOpen
            case .propose(_, let meeting, _): sides[index].edge = meeting
            case .withdraw(_, let meeting):
                if sides[index].edge == meeting { sides[index].edge = nil }
                if sides[index].edge == nil { sides[index].ended = meeting }
            case .incoming(let peer): sides[index].hasInvitation = peer != nil
            case .changed: break
            }
        }
    }

    private mutating func post(_ message: DropMessage, to device: DeviceID) {
        sent.append(message)
        guard let to = sides.firstIndex(where: { $0.me.device == device }),
            !generator.chance(weather.lost)
        else { return }
        for _ in 0..<(generator.chance(weather.repeated) ? 2 : 1) {
            let delay = generator.chance(weather.late) ? Duration.seconds(2) : .zero
            letters.append(Letter(message: message, to: to, due: now + delay))
        }
    }
}

extension SeededGenerator {
    mutating func bytes32() -> Bytes32 { Bytes32(bytes(32)) ?? .zero }
    mutating func bytes16() -> Bytes16 { Bytes16(bytes(16)) ?? .zero }
}
