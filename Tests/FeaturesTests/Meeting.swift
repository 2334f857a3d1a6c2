import FeaturesAPI
import PluginKit
import Records
import TestSupport

@testable import Features

extension TestNetwork {
    /// Creates a host that runs the core feature set and has a name.
    func person(
        seed: UInt64, _ nickname: String, dog: String = "Bori", with others: [any Plugin.Type] = []
    ) async throws -> TestHost {
        let host = try await host(seed: seed, [CoreFeatures.self] + others)
        try await host.call(
            ProfileCommands.edit, .init(nickname: Nickname(nickname), dogName: Text(dog)))
        try await settle()
        return host
    }

    /// Creates two linked hosts whose people have met and are mates.
    func mates() async throws -> (TestHost, TestHost) {
        let (ann, ben) = (try await person(seed: 1, "Ann"), try await person(seed: 2, "Ben"))
        try await setLink(ann, ben, isUp: true)
        try await meet(ann, ben)
        return (ann, ben)
    }

    /// Creates two linked hosts whose people are mates; the first one, Ann, has no name.
    func matesOfWhomOneHasNoName() async throws -> (TestHost, TestHost) {
        let ann = try await host(seed: 1, [CoreFeatures.self])
        let ben = try await person(seed: 2, "Ben")
        try await setLink(ann, ben, isUp: true)
        try await meet(ann, ben)
        _ = ben.drainNotices()
        return (ann, ben)
    }

    /// Writes the proposals of both people, which name one meeting.
    func meet(_ one: TestHost, _ other: TestHost, number: UInt8 = 7) async throws {
        try await one.propose(to: other, number: number)
        try await other.propose(to: one, number: number)
        try await settle()
    }
}

extension TestHost {
    /// The core feature set of this host.
    var features: CoreFeatures {
        get throws {
            guard let plugin = plugin(CoreFeatures.self) else {
                throw CommandFault.failed("the host runs no core plugin")
            }
            return plugin
        }
    }

    /// Writes my edge, as a drop does when I accept.
    func propose(to other: TestHost, number: UInt8 = 7) async throws {
        let card = try await other.features.myCard()
        try await features.proposeMate(other.me.person, meeting: .numbered(number), card: card)
    }

    func relation(to other: TestHost) async throws -> Relation {
        try await features.relation(to: other.me.person)
    }

    /// Returns the entry of `mates list` for another host's person.
    func mate(_ other: TestHost) async throws -> MateList.Mate? {
        try await call(MateCommands.list).mates.first { $0.person == Key(other.me.person) }
    }

    /// Requests a walk at a fixed location.
    func ask(
        _ other: TestHost, message: String = "Walk?", at time: Timestamp? = nil
    ) async throws -> RecordKey {
        try await call(
            WalkCommands.ask,
            .init(
                to: NameOrKey(other.me.person), latitude: Latitude(37.5665, field: "latitude"),
                longitude: Longitude(126.978, field: "longitude"), message: Text(message),
                atMs: time)
        ).id
    }

    /// Returns the entry of `walk list` with this id.
    func walk(_ id: RecordKey) async throws -> WalkRequest? {
        try await call(WalkCommands.list).requests.first { $0.id == id }
    }

    func walkState(_ id: RecordKey) async throws -> WalkRequest.State? {
        try await walk(id)?.state
    }

    /// Returns the items of the inbox.
    func inboxItems() async throws -> [InboxList.Item] {
        try await call(InboxCommands.list).items
    }

    /// Sets the location by hand.
    @discardableResult
    func setLocation(
        _ latitude: Double, _ longitude: Double, accuracyMetres: Double? = nil
    ) async throws -> MyLocation {
        try await call(
            LocationCommands.set,
            .init(
                latitude: Latitude(latitude, field: "latitude"),
                longitude: Longitude(longitude, field: "longitude"),
                accuracyMetres: accuracyMetres.map {
                    try AccuracyMetres($0, field: "accuracyMetres")
                }))
    }

    /// Blocks a person.
    func block(_ other: TestHost, because reason: BlockReason) async throws {
        try await call(
            MateCommands.block, .init(person: NameOrKey(other.me.person), reason: reason))
    }
}

extension Bytes16 {
    /// Returns sixteen times one byte.
    static func numbered(_ number: UInt8) -> Bytes16 {
        Bytes16([UInt8](repeating: number, count: 16)) ?? .zero
    }
}
