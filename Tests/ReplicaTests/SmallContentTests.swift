import GRDB
import Identity
import Records
import TestSupport
import Testing

@testable import Replica

/// Content that is fetched with its record: what is due, and how much of it a person may have.
struct SmallContentTests {
    private let homes = Homes()
    private let pictures = PictureTown()
    private let me: Someone
    private let ben: Someone
    private let cara: Someone

    init() throws {
        me = try Someone(seed: 611)
        ben = try Someone(seed: 612)
        cara = try Someone(seed: 613)
    }

    private func replica(
        _ home: Home? = nil, quota: StorageQuota = StorageQuota()
    ) async throws -> Replica {
        try await pictures.replica(
            of: me.key, knowing: [me], in: home ?? homes.make(), quota: quota)
    }

    private func due(_ replica: Replica) async throws -> Set<Blob> {
        Set(try await replica.dueSmallContent(countMax: 4096).map(\.blob))
    }

    /// A log with pictures of one day, one a second.
    private func poster(_ numbers: Range<Int>, count: Int = 8192) throws -> Poster {
        var poster = Poster(ben, in: pictures.town)
        for number in numbers {
            try poster.picture(
                UInt64(number), thumbnail: PictureTown.blob(number, count: count),
                at: pictures.day + .seconds(number))
        }
        return poster
    }

    /// The time at which all batches of a day are stored, though it is more than a day's allowance.
    private var later: Timestamp { pictures.day + .days(6) }

    @Test func `the thumbnail of a record is due, its photo is not, and both may be fetched`()
        async throws
    {
        let replica = try await replica()
        var poster = Poster(ben, in: pictures.town)
        let (photo, thumbnail) = (PictureTown.blob(1, count: 100_000), PictureTown.blob(2))
        try poster.picture(1, photo: photo, thumbnail: thumbnail, at: now)
        try await replica.receive(poster.piece, from: cara, in: pictures.town)
        #expect(try await due(replica) == [thumbnail])
        #expect(
            try await replica.fetch(PictureTown.content(2), of: thumbnail, in: pictures) == .stored)
        #expect(try await due(replica).isEmpty)
        #expect(
            try await replica.fetch(
                PictureTown.content(1, count: 100_000), of: photo, in: pictures) == .stored)
        #expect(try await replica.piece(of: photo.hash, in: pictures.id, from: 0) != nil)
    }

    @Test func `a person has 1 MiB a day, the 129th thumbnail of 8 KiB is not fetched`()
        async throws
    {
        let replica = try await replica()
        let poster = try poster(0..<130)
        try await replica.receive(poster.piece, from: cara, in: pictures.town, at: later)
        let counted = Set((0..<128).map { PictureTown.blob($0) })
        #expect(try await due(replica) == counted)
        let surplus = PictureTown.blob(128)
        #expect(try await replica.arrivedBytes(of: surplus, in: pictures.id) == .notNamed)
        let sought = SoughtBlob(hash: surplus.hash, bytesCount: 8192)
        #expect(try await replica.sought(sought, in: pictures.id) == .unknown)
        // The next day begins anew.
        var next = poster
        try next.picture(500, thumbnail: surplus, at: pictures.day + .days(1))
        try await replica.receive(next.piece(131...131), from: cara, in: pictures.town, at: later)
        #expect(try await due(replica) == counted.union([surplus]))
    }

    @Test func `content of one byte counts as 4 KiB`() async throws {
        let replica = try await replica()
        var poster = Poster(ben, in: pictures.town)
        for number in 0..<256 {
            let blob = PictureTown.blob(number, count: 1)
            try poster.picture(
                UInt64(number), thumbnail: blob, at: pictures.day + .seconds(number))
        }
        try poster.picture(
            256, thumbnail: PictureTown.blob(0, count: 2), at: pictures.day + .seconds(256))
        try await replica.receive(poster.piece, from: cara, in: pictures.town, at: later)
        #expect(try await due(replica).count == 256)
        // The same content in another record counts once.
        try poster.picture(
            257, thumbnail: PictureTown.blob(5, count: 1), at: pictures.day + .seconds(257))
        try await replica.receive(poster.piece(258...258), from: cara, in: pictures.town, at: later)
        #expect(try await due(replica).count == 256)
    }

    @Test func `every order of arrival leaves the same content, and what is over goes`()
        async throws
    {
        let poster = try poster(0..<140)
        let (one, two) = (try homes.make(), try homes.make())
        let forward = try await replica(one)
        for first in stride(from: 1, to: 141, by: 20) {
            try await forward.receive(
                poster.piece(first...first + 19), from: cara, in: pictures.town, at: later)
            try await forward.fetchDue(0..<140, in: pictures)
        }
        let backward = try await replica(two)
        for first in stride(from: 121, to: 0, by: -20) {
            try await backward.receive(
                poster.piece(first...first + 19), from: cara, in: pictures.town, at: later)
            try await backward.fetchDue(0..<140, in: pictures)
        }
        let counted = Set((0..<128).map { PictureTown.blob($0).hash })
        #expect(pictures.files(one) == counted)
        // It was fetched before the earlier records arrived, and was removed then.
        #expect(pictures.files(two) == counted)
        try await backward.rebuild(pictures.id)
        #expect(try await due(backward).isEmpty)
        #expect(pictures.files(two) == counted)
    }

    @Test func `what takes the place of an erased thumbnail is due`() async throws {
        let replica = try await replica()
        var poster = try poster(0..<129)
        try await replica.receive(poster.piece, from: cara, in: pictures.town, at: later)
        try await replica.fetchDue(0..<129, in: pictures)
        #expect(try await due(replica).isEmpty)
        let first = poster.author.batches[0]
        try poster.write([.erase(first)], at: pictures.day + .seconds(200))
        try await replica.receive(
            poster.piece(130...130), from: cara, in: pictures.town, at: later)
        #expect(try await due(replica) == [PictureTown.blob(128)])
    }

    @Test func `content that was given up is not due, and what takes its place is`()
        async throws
    {
        let replica = try await replica()
        var poster = try poster(0..<1)
        let blob = PictureTown.blob(0)
        try await replica.receive(poster.piece, from: cara, in: pictures.town, at: later)
        try await replica.giveUp(blob, in: pictures.id)
        #expect(try await due(replica).isEmpty)
        #expect(
            try await replica.arrivedBytes(of: blob, in: pictures.id) == .missing(arrivedBytes: 0))
        try poster.picture(0, thumbnail: blob, at: pictures.day + .seconds(5))
        try await replica.receive(poster.piece(2...2), from: cara, in: pictures.town, at: later)
        #expect(try await due(replica).isEmpty)
        let other = PictureTown.blob(1)
        try poster.picture(0, thumbnail: other, at: pictures.day + .seconds(6))
        try await replica.receive(poster.piece(3...3), from: cara, in: pictures.town, at: later)
        #expect(try await due(replica) == [other])
    }

    @Test func `giving up a wrong length of a hash does not give up the right one`() async throws {
        let replica = try await replica()
        let right = PictureTown.blob(1)
        let wrong = try #require(
            Blob(hash: right.hash, bytesCount: right.bytesCount - 1, kind: right.kind))
        var poster = Poster(ben, in: pictures.town)
        try poster.picture(1, thumbnail: right, at: pictures.day)
        try poster.picture(2, thumbnail: wrong, at: pictures.day + .seconds(1))
        try await replica.receive(poster.piece, from: cara, in: pictures.town, at: later)
        #expect(try await due(replica) == [right, wrong])
        try await replica.giveUp(wrong, in: pictures.id)
        #expect(try await due(replica) == [right])
        #expect(
            try await replica.fetch(PictureTown.content(1), of: right, in: pictures) == .stored)
        #expect(try await due(replica).isEmpty)
    }

    @Test func `strangers' thumbnails leave a quarter of the room, mates' do not`() async throws {
        // Room for eight thumbnails in open spaces.
        let quota = StorageQuota(fetchedBytesMax: 8 * 8 * (8192 + Limits.blobFileBytes))
        let home = try homes.make()
        let replica = try await replica(home, quota: quota)
        try await replica.receive(
            poster(0..<20).piece, from: cara, in: pictures.town, at: later)
        #expect(try await due(replica).count == 6)
        for _ in 0..<3 { try await replica.fetchDue(0..<20, in: pictures) }
        #expect(pictures.files(home).count == 6)
        #expect(try await due(replica).isEmpty)
        await replica.retain([ben.person])
        #expect(try await due(replica).count == 14)
        try await replica.fetchDue(0..<20, in: pictures)
        let bytes = pictures.files(home).count * (8192 + Limits.blobFileBytes)
        #expect(bytes <= quota.openFetchedBytesMax)
    }

    @Test func `a mate's older thumbnails do not wait behind those of strangers without room`()
        async throws
    {
        let dan = try Someone(seed: 614)
        // Room for three of the strangers' thumbnails.
        let quota = StorageQuota(fetchedBytesMax: 8 * 3 * (8192 + Limits.blobFileBytes))
        let replica = try await replica(quota: quota)
        await replica.retain([dan.person])
        var mate = Poster(dan, in: pictures.town)
        for number in 1...3 {
            try mate.picture(
                UInt64(number), thumbnail: PictureTown.blob(number),
                at: pictures.day - .days(29) + .seconds(number))
        }
        try await replica.receive(mate.piece, from: dan, in: pictures.town)
        var number = 1000
        for seed in 0..<3 {
            var stranger = Poster(try Someone(seed: 620 + UInt64(seed)), in: pictures.town)
            for day in (1...22).reversed() {
                try stranger.pictures(
                    (0..<256).map { PictureTown.blob(number + $0, count: 4096) },
                    at: pictures.day - .days(day))
                number += 256
            }
            try await replica.receive(stranger.piece, from: cara, in: pictures.town)
        }
        let dueCount = try await replica.pool.read { database in
            try Int.fetchOne(
                database, sql: "SELECT count(*) FROM small_content WHERE state = 1")
        }
        #expect(try #require(dueCount) > Replica.dueContentSeenMax)
        let due = try await replica.dueSmallContent(countMax: 1024)
        #expect(due.filter(\.isRetained).map(\.blob) == [3, 2, 1].map { PictureTown.blob($0) })
        #expect(due.count { !$0.isRetained } == 3)
        #expect(
            try await replica.dueSmallContent(countMax: 2).map(\.blob)
                == [3, 2].map { PictureTown.blob($0) })
    }

    @Test func `retained people take turns, so that nobody's thumbnails displace another's`()
        async throws
    {
        let dan = try Someone(seed: 614)
        let replica = try await replica()
        await replica.retain([ben.person, dan.person])
        var old = Poster(dan, in: pictures.town)
        try old.pictures(
            [900, 901].map { PictureTown.blob($0) }, at: pictures.day - .days(5))
        try await replica.receive(old.piece, from: dan, in: pictures.town)
        try await replica.receive(poster(0..<20).piece, from: ben, in: pictures.town, at: later)
        let dans = Set([900, 901].map { PictureTown.blob($0) })
        for (count, dansCount) in [(1, 0), (2, 1), (4, 2), (21, 2), (30, 2)] {
            let due = try await replica.dueSmallContent(countMax: count).map(\.blob)
            #expect(due.count == min(count, 22) && Set(due).count == due.count)
            #expect(due.count { dans.contains($0) } == dansCount)
            #expect(due.first == PictureTown.blob(19))
        }
    }

    @Test func `retained people without thumbnails cost no query`() async throws {
        let replica = try await replica()
        try await replica.receive(poster(0..<3).piece, from: cara, in: pictures.town, at: later)
        let others = (0..<500).compactMap { number in
            PersonID(
                bytes: [UInt8(number & 0xff), UInt8(number >> 8)]
                    + [UInt8](repeating: 7, count: 30))
        }
        #expect(others.count == 500)
        let people = (others + [ben.person]).sorted()
        let (found, queriesCount) = try await replica.pool.read { database in
            var count = 0
            database.trace { _ in count += 1 }
            defer { database.trace(nil) }
            let space = try #require(
                try Int64.fetchOne(database, sql: "SELECT DISTINCT space FROM small_content"))
            let table = SmallContentTable(database: database, space: space)
            return (try table.creatorsDue(among: people), count)
        }
        #expect(found == [ben.person])
        #expect((1...6).contains(queriesCount))
        let plan = try await replica.pool.read { database in
            try [
                "SELECT value FROM small_content WHERE state = 1 AND space = 1 AND creator = x'00'"
                    + " ORDER BY stamp DESC",
                "SELECT creator FROM small_content WHERE state = 1 AND space = 1"
                    + " AND creator >= x'00' ORDER BY creator LIMIT 1",
            ].flatMap { sql in
                try GRDB.Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)").map {
                    $0["detail"] as String
                }
            }
        }
        #expect(plan.count == 2)
        #expect(plan.allSatisfy { $0.contains("small_content_due_by_author (space=? AND creator") })
    }
}
