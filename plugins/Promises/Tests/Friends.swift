import Neighbours
import PluginKit
import Records
import TestSupport

@testable import Promises

/// Ann, who is a mate of all the others; the others are no mates of each other.
struct Friends {
    static let place = (latitude: 37.5665, longitude: 126.9780)

    let network: TestNetwork
    let ann: TestHost
    let others: [TestHost]

    var all: [TestHost] { [ann] + others }
    var ben: TestHost { others[0] }
    var cem: TestHost { others[1] }

    /// Linked people, each with a name.
    static func meeting(
        on network: TestNetwork, names: [String] = ["Ann", "Ben", "Cem"]
    ) async throws -> Friends {
        var hosts: [TestHost] = []
        for (index, name) in names.enumerated() {
            let host = try await network.host(
                seed: UInt64(index + 1), [Neighbours.self, Promises.self])
            try await host.run("me", "edit", ["nickname": .string(name), "dogName": "Bori"])
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

    /// Ann promises everybody to meet in so many seconds, and all accept.
    /// - Returns: the promise's id.
    func promise(
        inSeconds seconds: Int64 = 3600, penalty: Int64 = 500, accepting: Bool = true
    ) async throws -> String {
        let id = try await ann.promise(with: others, inSeconds: seconds, penalty: penalty)
        try await network.settle()
        for other in others where accepting {
            try await other.run("promise", "accept", ["promise": .string(id)])
            try await network.settle()
        }
        return id
    }

    /// Cuts one off from all the others, or joins them again.
    func setLinks(of host: TestHost, isUp: Bool) async throws {
        for other in all where other.me != host.me {
            try await network.setLink(host, other, isUp: isUp)
        }
    }
}

extension TestHost {
    func propose(to other: TestHost, number: UInt8) async throws {
        guard let mine = plugin(Neighbours.self), let theirs = other.plugin(Neighbours.self),
            let meeting = Bytes16([UInt8](repeating: number, count: 16))
        else { throw CommandFault.failed("the host runs no core plugin") }
        try await mine.proposeMate(
            other.me.person, meeting: meeting, card: try await theirs.myCard())
    }

    var key64: JSONValue { .string(me.person.description) }

    /// Makes a promise at the place of all tests.
    func promise(
        with others: [TestHost], inSeconds seconds: Int64 = 3600, title: String = "Dinner",
        penalty: Int64 = 500
    ) async throws -> String {
        let made = try await run(
            "promise", "create",
            [
                "title": .string(title), "latitude": .number(Friends.place.latitude),
                "longitude": .number(Friends.place.longitude),
                "atMs": .integer(clock.wallMilliseconds + seconds * 1000),
                "penalty": .integer(penalty), "with": .array(others.map(\.key64)),
            ])
        guard let id = made["id"]?.string else { throw CommandFault.failed("it has no id") }
        return id
    }

    func show(_ id: String) async throws -> JSONValue {
        try await run("promise", "show", ["promise": .string(id)])
    }

    /// What this host shows of a person in a promise.
    func person(_ other: TestHost, in id: String) async throws -> JSONValue? {
        try await show(id)["people"]?.array?.first { $0["person"] == other.key64 }
    }

    func sharing(_ id: String) async throws -> String? { try await show(id)["sharing"]?.string }

    /// The ids of the promises that `promise list` shows.
    func listed() async throws -> [String] {
        try await run("promise", "list")["promises"]?.array?.compactMap { $0["id"]?.string } ?? []
    }

    /// The titles of items about promises in the inbox that are not dealt with.
    func news() async throws -> [String] {
        try await run("inbox", "list")["items"]?.array?
            .filter { $0["kind"] == "promise" && $0["handled"] == false }
            .compactMap { $0["title"]?.string } ?? []
    }

    /// A receiver says where this host is: so many metres north of the place.
    func locate(metresNorth metres: Double, atMs: Int64? = nil) throws {
        let degrees = metres / Point.earthRadiusMetres * 180 / .pi
        locate(
            Fix(
                point: try Point(
                    latitude: Friends.place.latitude + degrees, longitude: Friends.place.longitude),
                accuracyMetres: 5, atMs: atMs))
    }

    /// The space of a promise.
    func space(of id: String) async throws -> SpaceDescriptor {
        guard let promise = try await plugin(Promises.self)?.promise(id) else {
            throw CommandFault.failed("the host runs no promises")
        }
        return promise.space
    }
}
