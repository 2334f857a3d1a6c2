import Foundation
import Identity
import Records
import Replica
import Testing

/// Two people with a pair, and records with locations in it.
struct Spots {
    let homes = Homes()
    let me: Someone
    let mate: Someone
    let pair: SpaceDescriptor

    /// The middle of Seoul.
    static let seoul = (latitude: 37.5665, longitude: 126.9780)

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    func replica(
        of someone: Someone, _ home: Home? = nil, _ collection: RecordCollection = .spot
    ) async throws -> Replica {
        try await (home ?? homes.make()).replica(
            of: someone.key, knowing: [me, mate], in: [.own(someone.person), pair],
            collections: [collection])
    }

    /// Writes a spot; one without degrees has no location.
    @discardableResult
    func write(
        _ latitude: Double?, _ longitude: Double?, _ name: String = "spot", by replica: Replica,
        at wall: Timestamp = now
    ) async throws -> EntityID {
        let commit = try await replica.author(
            [
                .create(
                    collection: RecordCollection.spot.name,
                    nonce: try #require(Bytes16(Array(UUID().uuidString.utf8.prefix(16)))),
                    fields: [
                        "name": .text(name), "latitude": latitude.map { .real($0) } ?? .null,
                        "longitude": longitude.map { .real($0) } ?? .null,
                    ])
            ], in: pair.id, wallTime: wall)
        return try #require(commit.created.first)
    }

    func set(
        _ fields: [String: Value], of spot: EntityID, by replica: Replica
    ) async throws {
        _ = try await replica.author(
            [.set(collection: RecordCollection.spot.name, entity: spot, fields: fields)],
            in: pair.id, wallTime: now)
    }

    func send(from one: Replica, _ author: Someone, to other: Replica) async throws {
        let log = LogName(device: author.device)
        let reached = await other.heads(in: pair.id).first { $0.log == log }?.high ?? 0
        let run = try #require(
            try await one.runs(in: pair.id, log: log, after: reached, bytesMax: 1 << 18))
        #expect(try await other.merge([(pair.id, run)], wallTime: now).faults.isEmpty)
    }
}

extension RecordCollection {
    /// A record with a name that is searched, and a location that can be changed.
    static let spot = RecordCollection(
        "test.spot/1", table: "spot", spaces: [.pair, .group], isErasable: true,
        searched: ["name"], located: .init(latitude: "latitude", longitude: "longitude"),
        fields: [
            .init(1, "latitude", .real), .init(2, "longitude", .real),
            .init(3, "name", .text(bytesMax: 200)),
        ])

    /// A location of which each person has one.
    static let ownSpot = RecordCollection(
        "test.own_spot/1", table: "own_spot", spaces: [.own], isOnePerPerson: true,
        located: .init(latitude: "latitude", longitude: "longitude"),
        fields: [.init(1, "latitude", .real), .init(2, "longitude", .real)])
}

extension Replica {
    /// Returns the spots in an area, the nearest first, as a plugin reads them.
    func spots(
        near centre: (latitude: Double, longitude: Double), _ metres: Double
    ) async throws -> [EntityID] {
        try await read(
            """
            SELECT s.entity AS entity,
                waggle_metres(s.latitude, s.longitude, ?1, ?2) AS metres
            FROM spot_near n JOIN spot_found f ON f.id = n.id
            JOIN spot s ON s.space = f.space AND s.entity = f.entity
            WHERE n.id MATCH waggle_area(?1, ?2, ?3) AND metres <= ?3
            ORDER BY metres, s.entity
            """, [.real(centre.latitude), .real(centre.longitude), .real(metres)],
            allowedTables: Set(RecordCollection.spot.tables)
        ).compactMap { $0.entity("entity") }
    }

    /// Returns all entries of the index with their records, without the numbers of the rows.
    func indexedSpots() async throws -> [String] {
        try await read(
            """
            SELECT f.entity AS entity, n.south AS south, n.north AS north, n.west AS west,
                n.east AS east
            FROM spot_near n JOIN spot_found f ON f.id = n.id
            """, allowedTables: nil
        ).map { row in
            let sides = ["south", "north", "west", "east"].map { "\(row[$0])" }
            return "\(row["entity"]) \(sides.joined(separator: " "))"
        }.sorted()
    }
}
