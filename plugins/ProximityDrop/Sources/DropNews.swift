public import PluginKit
internal import ProximityDropAPI

/// A drop on another device of mine, as that device tells this one. It is never stored.
///
/// The encoding is a version byte (1), the seconds that are left in the phase, 0 or 1 and the 32
/// bytes of the other person's key, and the name of the phase in UTF-8.
struct DropNews: Hashable, Sendable {
    let phase: DropPhase
    /// The time that is left in the phase.
    let left: Duration
    /// The person of the drop, once both sides have pressed.
    let person: PersonID?

    private static let version: UInt8 = 1

    /// The time for which the end of a drop is shown on the other devices.
    static let endShown = Duration.seconds(60)
    /// The time after the end of a phase in which its successor may arrive late.
    static let late = Duration.seconds(10)
    /// The time within which the news must be delivered.
    static let expiry = Duration.seconds(10)

    /// The time for which the news is shown unless other news arrive.
    var shownMax: Duration { phase.isActive ? left + Self.late : Self.endShown }

    /// The bytes of the message.
    var encoded: [UInt8] {
        let seconds = UInt8(clamping: left.secondsRoundedUp)
        return [Self.version, seconds, person == nil ? 0 : 1] + (person?.bytes ?? [])
            + Array(phase.rawValue.utf8)
    }
}

extension DropNews {
    /// Reads exactly one message; nil if the bytes are not one, or name a phase that this version
    /// does not know.
    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let news = try? DropNews.read(&reader) else { return nil }
        self = news
    }

    private static func read(_ reader: inout ByteReader) throws -> DropNews? {
        guard try reader.byte() == version else { return nil }
        let left = Duration.seconds(Int64(try reader.byte()))
        var person: PersonID?
        switch try reader.byte() {
        case 0: break
        case 1:
            guard let named = PersonID(bytes: Array(try reader.bytes(32))) else { return nil }
            person = named
        default: return nil
        }
        let word = String(decoding: try reader.bytes(reader.remaining), as: UTF8.self)
        return DropPhase(rawValue: word).map { DropNews(phase: $0, left: left, person: person) }
    }
}

/// The drops on my other devices.
extension ProximityDrop {
    /// The topic of the news among my devices.
    static let newsTopic = "drop-news"

    /// Tells my other devices about the state of this device's drop.
    func tellOwnDevices() async throws {
        let news = DropNews(
            phase: session.phase, left: session.deadline.map { max(.zero, $0 - now) } ?? .zero,
            person: session.peer?.person)
        try await context.topics.sendEphemeral(
            Self.newsTopic, news.encoded, to: .own(context.me), expiry: DropNews.expiry)
    }

    /// Tells a device of mine that came into reach of a drop that is on.
    public func shared(_ space: SpaceDescriptor, with peer: Peer) async throws {
        guard space == .own(context.me), session.phase.isActive else { return }
        try await tellOwnDevices()
    }

    /// Forgets the drop of a device of mine that is not in reach any more.
    public func linkChanged(_ peer: Peer, isUp: Bool) async throws {
        guard !isUp, elsewhere.removeValue(forKey: peer.device) != nil else { return }
        await publishChange(tellingOthers: false)
    }

    /// Receives news of a drop on another device of mine.
    func receiveNews(_ message: TopicMessage) async {
        guard message.from.person == context.me, message.from.device != context.device,
            message.space == .own(context.me), let news = DropNews(decoding: message.body)
        else { return }
        elsewhere[message.from.device] = (news, now)
        await publishChange(tellingOthers: false)
    }

    /// The drop on another device of mine: one that is on, or else the last one that ended.
    func dropElsewhere() async throws -> DropStatus.Elsewhere? {
        elsewhere = elsewhere.filter { $0.value.news.phase != .idle && !isOver($0.value) }
        let newest = elsewhere.max { one, other in
            let (one, other) = (one.value, other.value)
            return (one.news.phase.isActive ? 1 : 0, one.at, one.news.phase.rawValue)
                < (other.news.phase.isActive ? 1 : 0, other.at, other.news.phase.rawValue)
        }
        guard let (device, (news, at)) = newest else { return nil }
        let names = try await context.core.names()
        return DropStatus.Elsewhere(
            device: Key(device), suffix: KeySuffix(device), phase: news.phase,
            secondsLeft: news.phase.isActive
                ? max(.zero, news.left - (now - at)).secondsRoundedUp : nil,
            name: news.person.flatMap { names[$0] })
    }

    private func isOver(_ one: (news: DropNews, at: Duration)) -> Bool {
        now - one.at >= one.news.shownMax
    }

    /// Refuses the keys of my own devices: a drop is for two people.
    func refuseOwnDevices(_ named: NameOrKey) async throws {
        let devices = try await context.replica.rows(
            "SELECT DISTINCT device FROM waggle_log WHERE person = ?", [.bytes(context.me.bytes)]
        ).compactMap { $0.device("device") }
        guard devices.contains(where: { named.matches(key: $0) }) || named.matches(key: context.me)
        else { return }
        throw CommandFault.refused(
            "This is a device of your own; a drop is for meeting another person.")
    }
}
