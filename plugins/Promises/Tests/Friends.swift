import Features
import FeaturesAPI
import PluginKit
import PromisesAPI
import Records
import TestSupport

@testable import Promises

/// Ann, who is a mate of all the others, and the others, who are not mates of each other.
struct Friends {
    static let location = (latitude: 37.5665, longitude: 126.9780)

    let network: TestNetwork
    let ann: TestHost
    let others: [TestHost]

    var all: [TestHost] { [ann] + others }
    var ben: TestHost { others[0] }
    var cem: TestHost { others[1] }

    /// Returns linked people, each with a name.
    static func meeting(
        on network: TestNetwork, names: [String] = ["Ann", "Ben", "Cem"]
    ) async throws -> Friends {
        var hosts: [TestHost] = []
        for (index, name) in names.enumerated() {
            let host = try await network.host(
                seed: UInt64(index + 1), [CoreFeatures.self, Promises.self])
            try await host.call(
                ProfileCommands.edit, .init(nickname: Nickname(name), dogName: Text("Bori")))
            for other in hosts { try await network.setLink(other, host, isUp: true) }
            hosts.append(host)
        }
        for (index, host) in hosts.dropFirst().enumerated() {
            try await hosts[0].propose(to: host, number: UInt8(index + 1))
            try await host.propose(to: hosts[0], number: UInt8(index + 1))
        }
        try await network.settle()
        return Friends(network: network, ann: hosts[0], others: Array(hosts.dropFirst()))
    }

    /// Makes a promise of Ann with everybody, due in `seconds` seconds; all accept it unless
    /// `accepting` is false.
    /// - Returns: the promise's id.
    func promise(
        inSeconds seconds: Int64 = 3600, penalty: Int = 500, accepting: Bool = true
    ) async throws -> Key {
        let id = try await ann.promise(with: others, inSeconds: seconds, penalty: penalty)
        try await network.settle()
        for other in others where accepting {
            try await other.call(PromiseCommands.accept, .init(id))
            try await network.settle()
        }
        return id
    }

    /// Disconnects one host from all the others, or connects it to them again.
    func setLinks(of host: TestHost, isUp: Bool) async throws {
        for other in all where other.me != host.me {
            try await network.setLink(host, other, isUp: isUp)
        }
    }
}

extension PromiseReference {
    /// Names a promise by its whole id.
    init(_ id: Key) { self.init(promise: NameOrKey(id)) }
}

extension AgreeToPromise {
    /// Agrees to a promise, named by its whole id, at whatever time it has.
    init(_ id: Key) { self.init(promise: NameOrKey(id)) }
}

extension TestHost {
    func propose(to other: TestHost, number: UInt8) async throws {
        guard let mine = plugin(CoreFeatures.self), let theirs = other.plugin(CoreFeatures.self),
            let meeting = Bytes16([UInt8](repeating: number, count: 16))
        else { throw CommandFault.failed("the host runs no core plugin") }
        try await mine.proposeMate(
            other.me.person, meeting: meeting, card: try await theirs.myCard())
    }

    /// The prefix by which a command names this host's person.
    var prefix: NameOrKey { NameOrKey(me.person) }

    /// Returns the time on this host's clock, plus a span.
    func time(in span: Duration = .zero) -> Timestamp { clock.wallTime + span }

    /// Makes a promise at the location that all tests use.
    func promise(
        with others: [TestHost], inSeconds seconds: Int64 = 3600, title: String = "Dinner",
        penalty: Int = 500
    ) async throws -> Key {
        try await call(
            PromiseCommands.create,
            .init(
                title: Text(title), atMs: time(in: .seconds(seconds)),
                latitude: Latitude(Friends.location.latitude),
                longitude: Longitude(Friends.location.longitude), penalty: Whole(penalty),
                with: others.map(\.prefix))
        ).summary.id
    }

    /// Makes a promise with one parameter that may break a rule.
    func promise(
        with others: [TestHost], _ name: String, _ value: JSONValue
    ) async throws -> JSONValue {
        var parameters: [String: JSONValue] = [
            "title": "Dinner", "latitude": .number(Friends.location.latitude),
            "longitude": .number(Friends.location.longitude),
            "atMs": .integer(time(in: .seconds(3600)).milliseconds),
            "with": .array(others.map { .string($0.prefix.string) }),
        ]
        parameters[name] = value
        return try await answer(to: PromiseCommands.create.declaration, parameters)
    }

    func show(_ id: Key) async throws -> PromiseDetail {
        try await call(PromiseCommands.show, .init(id))
    }

    /// Returns a person in a promise as this host shows them.
    func person(_ other: TestHost, in id: Key) async throws -> PromisePerson? {
        try await show(id).people.first { $0.person == Key(other.me.person) }
    }

    func sharing(_ id: Key) async throws -> PromiseSharing { try await show(id).summary.sharing }

    /// Returns the ids of the promises that `promise list` shows.
    func listed() async throws -> [Key] {
        try await call(PromiseCommands.list, .init()).promises.map(\.id)
    }

    /// Returns the titles of open inbox items about promises.
    func news() async throws -> [String] {
        try await call(InboxCommands.list).items
            .filter { $0.kind == "promise" && !$0.handled }.map { $0.title.string }
    }

    /// Reports a fix of a receiver at this host: `metres` metres north of the location.
    func locate(metresNorth metres: Double, at time: Timestamp? = nil) throws {
        let degrees = metres / Point.earthRadiusMetres * 180 / .pi
        locate(
            Fix(
                point: try Point(
                    latitude: Friends.location.latitude + degrees,
                    longitude: Friends.location.longitude),
                accuracyMetres: 5, at: time))
    }

    /// Returns the space of a promise.
    func space(of id: Key) async throws -> SpaceDescriptor {
        guard let promise = try await plugin(Promises.self)?.promise(NameOrKey(id)) else {
            throw CommandFault.failed("the host runs no promises")
        }
        return promise.space
    }
}
