import PluginKit
import Records
import TestSupport

@testable import Neighbours

extension TestNetwork {
    /// A host that runs the core feature set and has a name.
    func person(seed: UInt64, _ nickname: String, dog: String = "Bori") async throws -> TestHost {
        let host = try await host(seed: seed, [Neighbours.self])
        try await host.run(
            "me", "edit", ["nickname": .string(nickname), "dogName": .string(dog)])
        try await settle()
        return host
    }

    /// Two linked hosts whose people have met and are mates.
    func mates() async throws -> (TestHost, TestHost) {
        let (ann, ben) = (try await person(seed: 1, "Ann"), try await person(seed: 2, "Ben"))
        try await setLink(ann, ben, isUp: true)
        try await meet(ann, ben)
        return (ann, ben)
    }

    /// Both propose to each other, naming one meeting.
    func meet(_ one: TestHost, _ other: TestHost, number: UInt8 = 7) async throws {
        try await one.propose(to: other, number: number)
        try await other.propose(to: one, number: number)
        try await settle()
    }
}

extension TestHost {
    /// The core feature set of this host.
    var neighbours: Neighbours {
        get throws {
            guard let plugin = plugin(Neighbours.self) else {
                throw CommandFault.failed("the host runs no core plugin")
            }
            return plugin
        }
    }

    /// Writes my edge, as a drop does when I accept.
    func propose(to other: TestHost, number: UInt8 = 7) async throws {
        let card = try await other.neighbours.myCard()
        try await neighbours.proposeMate(other.me.person, meeting: .numbered(number), card: card)
    }

    func relation(to other: TestHost) async throws -> Relation {
        try await neighbours.relation(to: other.me.person)
    }

    /// The entry of `mates list` for another.
    func mate(_ other: TestHost) async throws -> JSONValue? {
        try await run("mates", "list")["mates"]?.array?
            .first { $0["person"]?.string == other.me.person.description }
    }

    /// Asks for a walk at a fixed place.
    func ask(_ other: TestHost, message: String = "Walk?", atMs: Int64? = nil) async throws
        -> String
    {
        var arguments: [String: JSONValue] = [
            "to": .string(other.me.person.description), "latitude": 37.5665,
            "longitude": 126.978, "message": .string(message),
        ]
        arguments["atMs"] = atMs.map { .integer($0) }
        guard let id = try await run("walk", "ask", arguments)["id"]?.string else {
            throw CommandFault.failed("the request has no id")
        }
        return id
    }

    /// The entry of `walk list` with this id.
    func walk(_ id: String) async throws -> JSONValue? {
        try await run("walk", "list")["requests"]?.array?.first { $0["id"]?.string == id }
    }

    func walkState(_ id: String) async throws -> String? { try await walk(id)?["state"]?.string }
}

extension Bytes16 {
    /// Sixteen times one byte.
    static func numbered(_ number: UInt8) -> Bytes16 {
        Bytes16([UInt8](repeating: number, count: 16)) ?? .zero
    }
}
