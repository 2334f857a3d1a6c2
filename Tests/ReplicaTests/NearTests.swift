import Foundation
import GRDB
import Identity
import Location
import Records
import Replica
import TestSupport
import Testing

/// Records with a location are found by an area, and the index follows every change of them.
struct NearTests {
    private let spots: Spots

    init() throws { spots = try Spots() }

    // MARK: Results

    @Test func `records are found up to exactly the radius, the nearest first`() async throws {
        let replica = try await spots.replica(of: spots.me)
        let near = try await spots.write(37.5665, 126.9790, by: replica)
        let edge = try await spots.write(37.5665, 126.9880, by: replica)
        try await spots.write(37.5665, 127.5, by: replica)
        try await spots.write(nil, nil, by: replica)
        let centre = try Point(latitude: 37.5665, longitude: 126.9780)
        let metres = centre.distanceMetres(to: try Point(latitude: 37.5665, longitude: 126.9880))
        #expect(try await replica.spots(near: Spots.seoul, metres) == [near, edge])
        #expect(try await replica.spots(near: Spots.seoul, metres.nextDown) == [near])
        #expect(try await replica.spots(near: (37.5665, 126.9790), 0) == [near])
    }

    @Test func `an area that is none finds nothing`() async throws {
        let replica = try await spots.replica(of: spots.me)
        try await spots.write(37.5665, 126.9780, by: replica)
        for (latitude, longitude, metres) in [
            (37.5665, 126.9780, -1), (90.1, 126, 1e9), (37, 180.5, 1e9), (.infinity, 0, 1e9),
        ] {
            #expect(try await replica.spots(near: (latitude, longitude), metres).isEmpty)
        }
        #expect(try await replica.spots(near: Spots.seoul, .infinity).count == 1)
        await #expect(throws: ReplicaFault.self) {
            _ = try await replica.read(
                "SELECT id FROM spot_near WHERE id MATCH waggle_area(1, 2)", allowedTables: nil)
        }
    }

    @Test(arguments: [("20", 0), ("0", 1), ("NULL", 1), ("-1", 1), ("-1e308", 1), ("'x'", 1)])
    func `a fourth number passes over what is nearer, unless it is no distance`(
        beyond: String, count: Int
    ) async throws {
        let replica = try await spots.replica(of: spots.me)
        try await spots.write(37.5665, 126.9780, by: replica)
        let found = try await replica.read(
            """
            SELECT id FROM spot_near WHERE id MATCH waggle_area(37.5665, 126.978, 700, \(beyond))
            """, allowedTables: nil)
        #expect(found.count == count)
    }

    @Test func `records on both sides of 180°, on it and at a pole are found`() async throws {
        let replica = try await spots.replica(of: spots.me)
        let west = try await spots.write(10, 179.999, by: replica)
        let east = try await spots.write(10, -179.999, by: replica)
        let on = try await spots.write(10, 180, by: replica)
        let same = try await spots.write(10, -180, by: replica)
        let pole = try await spots.write(90, 33, by: replica)
        let beside = try await spots.write(89.999, -120, by: replica)
        for longitude in [179.9995, -179.9995, 180, -180] {
            #expect(
                Set(try await replica.spots(near: (10, longitude), 300)) == [west, east, on, same])
        }
        #expect(Set(try await replica.spots(near: (10, 179.9995), 56)) == [west, on, same])
        #expect(try await replica.spots(near: (89.9995, 60), 200) == [pole, beside])
    }

    @Test func `a location that is not on Earth is stored and not indexed`() async throws {
        let replica = try await spots.replica(of: spots.me)
        var written: [EntityID] = []
        for (latitude, longitude) in [
            (90.000_001, 0), (-91, 0), (0, 180.000_001), (0, -181), (1e300, -1e300),
            (.greatestFiniteMagnitude, .leastNonzeroMagnitude),
        ] {
            written.append(try await spots.write(latitude, longitude, by: replica))
        }
        written.append(try await spots.write(10, nil, by: replica))
        written.append(try await spots.write(nil, 10, by: replica))
        #expect(try await replica.indexedSpots().isEmpty)
        #expect(try await replica.read("SELECT * FROM spot", allowedTables: nil).count == 8)
        try await spots.set(
            ["latitude": .real(1), "longitude": .real(2)], of: written[0], by: replica)
        #expect(try await replica.spots(near: (1, 2), 1) == [written[0]])
        for limit in [(90.0, 180.0), (-90, -180)] {
            try await spots.write(limit.0, limit.1, by: replica)
        }
        #expect(try await replica.indexedSpots().count == 3)
    }

    /// A peer writes what no replica would author.
    @Test func `a text, a whole number or bytes in a field of degrees are void`() async throws {
        let replica = try await spots.replica(of: spots.me)
        var author = Author(spots.mate.key, in: spots.pair)
        for (number, value) in [
            Value.text("37.5"), .integer(37), .bytes([1]), .boolean(true),
        ].enumerated() {
            let (spot, create) = author.create(UInt8(number), .spot)
            let writes = [(1, value), (2, .real(127))].map { field, value in
                Records.Operation(
                    collection: RecordCollection.spot.id, entity: spot,
                    action: .set(field: field, value))
            }
            try author.write(
                [create] + writes, at: now + .milliseconds(number), salt: .zero)
        }
        #expect(try await replica.merge([author]).faults.isEmpty)
        #expect(try await replica.read("SELECT * FROM spot", allowedTables: nil).count == 4)
        #expect(try await replica.indexedSpots().isEmpty)
    }

    @Test func `a number that is not finite can be neither authored nor encoded`() async throws {
        let replica = try await spots.replica(of: spots.me)
        for number in [Double.nan, .infinity, -.infinity] {
            await #expect(throws: (any Error).self) {
                try await spots.write(number, 1, by: replica)
            }
        }
        #expect(try await replica.indexedSpots().isEmpty)
    }

    @Test func `distances in SQL are those of the sphere, and null for what is no location`()
        async throws
    {
        let replica = try await spots.replica(of: spots.me)
        let rows = try await replica.read(
            """
            SELECT waggle_metres(37.5665, 126.9780, 37.5665, 126.9783) AS one,
                waggle_metres(0, 0, 91, 0) AS none, waggle_metres(NULL, 0, 0, 0) AS null_one,
                waggle_metres('a', 0, 0, 0) AS text, waggle_metres(0, 0, 0, x'01') AS bytes,
                waggle_metres(0, 1, 0.0, 1.0) AS same
            """, allowedTables: [])
        let row = try #require(rows.first)
        #expect((26.43...26.45).contains(row.real("one") ?? 0))
        for name in ["none", "null_one", "text", "bytes"] { #expect(row[name] == .null) }
        #expect(row.real("same") == 0)
        await #expect(throws: ReplicaFault.self) {
            _ = try await replica.read("SELECT waggle_metres(1, 2, 3)", allowedTables: [])
        }
    }

    /// Returns what the R-Tree may have in a ring.
    private func ring(
        _ metres: ClosedRange<Double>, _ centre: Point, _ replica: Replica
    ) async throws -> Set<EntityID> {
        Set(
            try await replica.read(
                """
                SELECT f.entity AS entity FROM spot_near n JOIN spot_found f ON f.id = n.id
                WHERE n.id MATCH waggle_area(?, ?, ?, ?)
                """,
                [
                    .real(centre.latitude), .real(centre.longitude), .real(metres.upperBound),
                    .real(metres.lowerBound),
                ], allowedTables: nil
            ).compactMap { $0.entity("entity") })
    }

    @Test func `a ring has everything in it, and nothing from far within`() async throws {
        var generator = SeededGenerator(seed: 74)
        let replica = try await spots.replica(of: spots.me)
        let centre = try Point(latitude: 37.5665, longitude: 126.9780)
        var metres: [EntityID: Double] = [:]
        for _ in 0..<300 {
            let point = try Point(
                latitude: 37.5665 + .random(in: -0.02...0.02, using: &generator),
                longitude: 126.9780 + .random(in: -0.02...0.02, using: &generator))
            let spot = try await spots.write(point.latitude, point.longitude, by: replica)
            metres[spot] = centre.distanceMetres(to: point)
        }
        var passedCount = 0
        for _ in 0..<100 {
            let inner = Double.random(in: 0...2000, using: &generator)
            let outer = inner + .random(in: 0...500, using: &generator)
            let found = try await ring(inner...outer, centre, replica)
            let wanted = metres.filter { (inner...outer).contains($0.value) }
            #expect(found.isSuperset(of: wanted.keys), "\(inner) to \(outer) m")
            // A rectangle is a metre wide.
            #expect(found.allSatisfy { (inner - 2...outer + 2).contains(metres[$0] ?? 0) })
            passedCount += metres.filter { $0.value <= inner - 2 }.count
        }
        #expect(passedCount > 1000)
    }

    @Test func `a ring across 180° and at a pole has everything in it`() async throws {
        let replica = try await spots.replica(of: spots.me)
        for (latitude, longitude) in [(10.0, 179.999), (89.999, 0)] {
            let centre = try Point(latitude: latitude, longitude: longitude)
            let spot = try await spots.write(latitude, -longitude, by: replica)
            let metres = centre.distanceMetres(
                to: try Point(latitude: latitude, longitude: -longitude))
            #expect(try await ring(metres...metres, centre, replica).contains(spot))
            #expect(try await ring(0...metres + 1, centre, replica).contains(spot))
        }
    }

    @Test func `any records are found as a scan of all finds them`() async throws {
        var generator = SeededGenerator(seed: 73)
        let replica = try await spots.replica(of: spots.me)
        func near(_ middle: Double, _ limit: Double) -> Double {
            min(limit, max(-limit, middle + .random(in: -0.3...0.3, using: &generator)))
        }
        let middles = [(37.5, 127.0), (0, 179.9), (0, -179.9), (89.9, 0), (-89.9, 100)]
        for _ in 0..<20 {
            let edits = try (0..<50).map { _ -> Edit in
                let middle = middles.randomElement(using: &generator) ?? (0, 0)
                return .create(
                    collection: RecordCollection.spot.name,
                    nonce: try #require(Bytes16(generator.bytes(16))),
                    fields: [
                        "latitude": .real(near(middle.0, 90)),
                        "longitude": .real(near(middle.1, 180)),
                    ])
            }
            for edit in edits {
                _ = try await replica.author([edit], in: spots.pair.id, wallTime: now)
            }
        }
        let all = try await replica.read("SELECT * FROM spot", allowedTables: nil)
        #expect(all.count == 1000)
        var foundCount = 0
        for _ in 0..<200 {
            let middle = middles.randomElement(using: &generator) ?? (0, 0)
            let centre = try Point(latitude: near(middle.0, 90), longitude: near(middle.1, 180))
            let metres = pow(10, Double.random(in: 0...5, using: &generator))
            let expected = try all.filter {
                let point = try Point(
                    latitude: $0.real("latitude") ?? 0, longitude: $0.real("longitude") ?? 0)
                return centre.distanceMetres(to: point) <= metres
            }.compactMap { $0.entity("entity") }
            let found = try await replica.spots(near: (centre.latitude, centre.longitude), metres)
            #expect(found.sorted() == expected.sorted(), "\(centre), \(metres) m, seed 73")
            foundCount += found.count
        }
        #expect(foundCount > 1000)
    }

    // MARK: Declarations and reads

    @Test(arguments: [
        ("nothing", "longitude"), ("latitude", "latitude"), ("name", "longitude"),
        ("latitude", "tags"), ("count", "longitude"),
    ])
    func `fields that are no location are refused`(latitude: String, longitude: String) throws {
        let fields: [RecordCollection.Field] =
            RecordCollection.spot.fields + [
                .init(4, "tags", .real, merge: .addWinsSet),
                .init(5, "count", .integer(0...9), merge: .counter),
            ]
        let home = try spots.homes.make()
        #expect(throws: ReplicaFault.self) {
            _ = try home.replica(
                spots.me.key,
                collections: [
                    .init(
                        "test.a/1", table: "a", spaces: [.own],
                        located: .init(latitude: latitude, longitude: longitude), fields: fields)
                ])
        }
    }

    @Test func `an index is closed to plugins to which its collection is closed`() async throws {
        let replica = try await spots.replica(of: spots.me)
        try await spots.write(37.5665, 126.9780, by: replica)
        let sql = "SELECT id FROM spot_near WHERE id MATCH waggle_area(37.5665, 126.978, 9)"
        #expect(
            try await replica.read(sql, allowedTables: Set(RecordCollection.spot.tables)).count
                == 1)
        for sql in [
            sql, "SELECT * FROM spot_found", "SELECT * FROM spot_near_node",
            "SELECT * FROM spot_near_rowid",
        ] {
            do {
                _ = try await replica.read(sql, allowedTables: [])
                Issue.record("let through: \(sql)")
            } catch ReplicaFault.notPermitted {}
        }
        for sql in ["SELECT * FROM spot_near_node", "SELECT * FROM spot_near_parent"] {
            await #expect(throws: ReplicaFault.self) {
                _ = try await replica.read(
                    sql, allowedTables: Set(RecordCollection.spot.tables))
            }
        }
    }
}
