import Foundation
import GRDB
import Identity
import Records
import Replica
import TestSupport
import Testing

/// The index of locations follows every change of records, and no file keeps what was erased.
struct NearUpkeepTests {
    private let spots: Spots

    init() throws { spots = try Spots() }

    // MARK: Changes

    @Test func `a record that is moved, loses its location or gets one is found where it is`()
        async throws
    {
        let replica = try await spots.replica(of: spots.me)
        let spot = try await spots.write(37.5665, 126.9780, by: replica)
        try await spots.set(
            ["latitude": .real(35), "longitude": .real(129)], of: spot, by: replica)
        #expect(try await replica.spots(near: Spots.seoul, 1000).isEmpty)
        #expect(try await replica.spots(near: (35, 129), 1) == [spot])
        try await spots.set(["longitude": .null], of: spot, by: replica)
        #expect(try await replica.indexedSpots().isEmpty)
        try await spots.set(["longitude": .real(-129)], of: spot, by: replica)
        #expect(try await replica.spots(near: (35, -129), 1) == [spot])
        try await spots.set(["longitude": .real(1000)], of: spot, by: replica)
        #expect(try await replica.indexedSpots().isEmpty)
        // A field that is not indexed changes nothing.
        try await spots.set(["longitude": .real(-129)], of: spot, by: replica)
        let before = try await replica.indexedSpots()
        try await spots.set(["name": .text("other")], of: spot, by: replica)
        #expect(try await replica.indexedSpots() == before)
    }

    @Test func `a record whose beginning arrives late is in the index once`() async throws {
        let two = try Someone(seed: 5, deviceCount: 2)
        var authors = [Author(two.devices[0], in: .own(two.person))]
        authors.append(Author(two.devices[1], in: .own(two.person)))
        let home = try spots.homes.make()
        let theirs = try await home.replica(
            of: two.key, knowing: [two], in: [.own(two.person)], collections: [.ownSpot])
        let entity = Records.Operation.ownEntity(
            in: SpaceDescriptor.own(two.person).id, of: RecordCollection.ownSpot.id,
            person: two.person)
        for (index, seconds) in [(0, 10), (1, 0)] {
            let actions: [Records.Operation.Action] = [
                .createOwn, .set(field: 1, .real(Double(index))), .set(field: 2, .real(7)),
            ]
            try authors[index].write(
                actions.map {
                    Records.Operation(
                        collection: RecordCollection.ownSpot.id, entity: entity, action: $0)
                }, at: now + .seconds(seconds))
            try await theirs.merge([authors[index]])
        }
        let rows = try await theirs.read(
            """
            SELECT n.id AS id, s.stamp AS stamp, n.south AS south FROM own_spot_near n
            JOIN own_spot_found f ON f.id = n.id JOIN own_spot s ON s.entity = f.entity
            """, allowedTables: nil)
        #expect(rows.count == 1)
        #expect(rows.first?.integer("id") == rows.first?.integer("stamp"))
        #expect(rows.first?.real("south") == 0)
    }

    @Test func `replicas that received the records in any order have the same index`()
        async throws
    {
        let (mine, theirs) = (
            try await spots.replica(of: spots.me), try await spots.replica(of: spots.mate)
        )
        for number in 0..<40 {
            let author = number.isMultiple(of: 2) ? mine : theirs
            let spot = try await spots.write(
                Double(number), -Double(number), by: author, at: now + .seconds(number))
            if number.isMultiple(of: 3) {
                try await spots.set(["latitude": .real(50)], of: spot, by: author)
            }
        }
        try await spots.send(from: theirs, spots.mate, to: mine)
        try await spots.send(from: mine, spots.me, to: theirs)
        #expect(try await mine.indexedSpots() == theirs.indexedSpots())
        #expect(try await mine.indexedSpots().count == 40)
    }

    @Test func `a rebuild makes the index that the changes have made`() async throws {
        let replica = try await spots.replica(of: spots.me)
        for number in 0..<300 {
            let spot = try await spots.write(
                Double(number % 80), Double(number % 170), by: replica,
                at: now + .milliseconds(number / 3))
            if number.isMultiple(of: 4) {
                try await spots.set(["latitude": .real(-5)], of: spot, by: replica)
            }
            if number.isMultiple(of: 7) {
                try await spots.set(["latitude": .null], of: spot, by: replica)
            }
        }
        let before = try await replica.indexedSpots()
        #expect(before.count == 257)
        try await replica.rebuild(spots.pair.id)
        #expect(try await replica.indexedSpots() == before)
        #expect(try await replica.fileFindings().isEmpty)
    }

    @Test func `fields that become a location are indexed from the log, and leave no table behind`()
        async throws
    {
        let home = try spots.homes.make()
        let plain = RecordCollection(
            RecordCollection.spot.name, table: "spot", spaces: [.pair], isErasable: true,
            fields: RecordCollection.spot.fields)
        let before = try await spots.replica(of: spots.me, home, plain)
        let spot = try await spots.write(37.5665, 126.9780, by: before)
        try await before.close()
        let after = try await spots.replica(of: spots.me, home)
        #expect(try await after.spots(near: Spots.seoul, 1) == [spot])
        try await after.close()
        let again = try await spots.replica(of: spots.me, home, plain)
        let tables = try await again.read(
            "SELECT name FROM sqlite_master WHERE name LIKE 'spot_%'", allowedTables: nil)
        #expect(tables.isEmpty)
    }

    // MARK: Erasing

    @Test func `an erased location is found nowhere, and its bytes are in no file`() async throws {
        let (home, away) = (try spots.homes.make(), try spots.homes.make())
        let (mine, theirs) = (
            try await spots.replica(of: spots.me, home),
            try await spots.replica(of: spots.mate, away)
        )
        var victims: [(spot: EntityID, bytes: [[UInt8]])] = []
        for number in 0..<300 {
            let latitude = 37.5 + Double(number) / 7919
            let spot = try await spots.write(latitude, 127.1234, "name \(number)", by: mine)
            guard number % 6 == 5 else { continue }
            victims.append((spot, [Self.stored(latitude), Self.exact(latitude)]))
        }
        try await spots.send(from: mine, spots.me, to: theirs)
        for home in [home, away] {
            let bytes = try DatabaseBytes(of: home.file())
            for victim in victims { for form in victim.bytes { #expect(bytes.holds(form)) } }
        }
        for victim in victims {
            _ = try await mine.author(
                [.erase(collection: RecordCollection.spot.name, entity: victim.spot)],
                in: spots.pair.id, wallTime: now)
        }
        try await spots.send(from: mine, spots.me, to: theirs)
        for (replica, home) in [(mine, home), (theirs, away)] {
            #expect(try await replica.indexedSpots().count == 250)
            #expect(try await replica.scrub())
            let bytes = try DatabaseBytes(of: home.file())
            for victim in victims { for form in victim.bytes { #expect(!bytes.holds(form)) } }
            #expect(try await replica.fileFindings().isEmpty)
            #expect(try await replica.indexedSpots().count == 250)
            #expect(try await replica.spots(near: (37.5, 127.1234), 20_000).count == 250)
        }
    }

    /// The latitude as the R-Tree stores it: rounded to 32 bits, and where that was up or down, the
    /// other side by SQLite's own factors.
    private static func stored(_ latitude: Double) -> [UInt8] {
        let single = Float(latitude)
        let (less, more) = (Float(latitude * (1 - 0x1p-23)), Float(latitude * (1 + 0x1p-23)))
        let down = Double(single) > latitude ? less : single
        let up = Double(single) < latitude ? more : single
        return [down, up].flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> (24 - 8 * $0)) }
        }
    }

    /// The latitude as a column stores it.
    private static func exact(_ latitude: Double) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: latitude.bitPattern >> (56 - 8 * $0)) }
    }

    @Test func `a closed group leaves no location behind`() async throws {
        let group = SpaceDescriptor.group(owner: spots.mate.person, nonce: .zero)
        let replica = try await spots.homes.make().replica(
            of: spots.me.key, knowing: [spots.me, spots.mate], in: [.own(spots.me.person), group],
            collections: [.spot])
        var author = Author(spots.mate.key, in: group)
        try author.write([Records.Operation(control: .grant(spots.me.person, .writer))], at: now)
        let (spot, create) = author.create(1, .spot)
        let writes = [(1, 37.0), (2, 127)].map { field, number in
            Records.Operation(
                collection: RecordCollection.spot.id, entity: spot,
                action: .set(field: field, .real(number)))
        }
        try author.write([create] + writes, at: now + .milliseconds(1), salt: .zero)
        try await replica.merge([author])
        #expect(try await replica.indexedSpots().count == 1)
        #expect(try await replica.close([group.id]) == [group.id])
        #expect(try await replica.indexedSpots().isEmpty)
        #expect(try await replica.read("SELECT * FROM spot_found", allowedTables: nil).isEmpty)
    }

    // MARK: The file

    @Test func `a backup finds what its replica finds, and one with a damaged index is refused`()
        async throws
    {
        let home = try spots.homes.make()
        let replica = try await spots.replica(of: spots.me, home)
        let spot = try await spots.write(37.5665, 126.9780, by: replica)
        let file = BackupFile(path: home.file("backup"))
        let identity = BackupFile.Identity(
            key: Array(spots.me.key.rawRepresentation), person: spots.me.record.encoded)
        try file.write(replica: home.file(), identity)
        let other = try spots.homes.make()
        try file.unpack(to: other.file())
        let restored = try await spots.replica(of: spots.me, other)
        #expect(try await restored.spots(near: Spots.seoul, 1) == [spot])
        try await spots.write(37.5666, 126.9780, by: restored)
        #expect(try await restored.spots(near: Spots.seoul, 100).count == 2)

        #expect(try await replica.fileFindings().isEmpty)
        let queue = try DatabaseQueue(path: home.file())
        try await queue.write { try $0.execute(sql: "DELETE FROM spot_near_rowid") }
        try queue.close()
        #expect(try await replica.fileFindings().first?.hasPrefix("spot_near: ") == true)
        #expect(throws: BackupFault.self) {
            try BackupFile(path: home.file("second")).write(replica: home.file(), identity)
        }
    }
}
