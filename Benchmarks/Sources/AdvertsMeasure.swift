import Foundation
import Identity
import Location
import PluginKit
import Records
import Replica

/// Measures pages and searches of 50 000 records with a title, a text and a location, read as a
/// plugin reads them. Before that, each page is compared with a scan of all records.
struct AdvertsMeasure {
    let directory: String

    static let advertsCount = 50_000
    private static let pageCount = 20
    private static let repeats = 21
    /// The records in a batch; about 40 KiB.
    private static let batchCount = 50
    /// One title in this many contains the word that is searched for.
    private static let foundEvery = 500

    private static let fields: [RecordCollection.Field] = [
        .init(1, "category", .integer(0...4)), .init(2, "title", .text(bytesMax: 200)),
        .init(3, "text", .text(bytesMax: 4000)), .init(4, "latitude", .real),
        .init(5, "longitude", .real),
    ]
    private static let adverts = RecordCollection(
        "bench.advert/1", table: "bench_advert", spaces: [.own],
        indexes: [["stamp", "creator", "entity"], ["category", "stamp", "creator", "entity"]],
        searched: ["title", "text"],
        located: .init(latitude: "latitude", longitude: "longitude"), fields: fields)
    /// The same without the indexes that the engine keeps.
    private static let plain = RecordCollection(
        "bench.plain/1", table: "bench_plain", spaces: [.own], indexes: adverts.indexes,
        fields: fields)

    /// The middle of the city; the records are up to ten kilometres from it.
    private static let middle = (latitude: 37.5665, longitude: 126.9780)

    func run() async throws -> JSONValue {
        let household = try Household()
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        let replica = try Replica(
            path: directory + "/replica.db", key: household.first,
            collections: [Self.adverts, Self.plain], views: [])
        try await replica.learn(household.record)
        try await replica.open(household.space)
        let access = BenchReads(replica: replica, tables: Set(Self.adverts.tables))
        var generator = SplitMix(seed: 50)
        try await write(
            0..<Self.advertsCount - 1000, Self.adverts, to: replica, in: household, &generator)
        let last = Self.advertsCount - 1000..<Self.advertsCount
        let with = try await write(last, Self.adverts, to: replica, in: household, &generator)
        let without = try await write(last, Self.plain, to: replica, in: household, &generator)
        let pages = try Self.pages()
        let all = try await replica.read(
            "SELECT * FROM bench_advert ORDER BY stamp DESC, entity DESC", allowedTables: nil)
        guard all.count == Self.advertsCount else { throw BenchFault.wrongPage("the records") }
        var result: [String: JSONValue] = ["writingRatio": .number(with / without)]
        for kind in Page.Kind.allCases {
            var times: [String: JSONValue] = [:]
            for page in pages where page.kind == kind {
                try await check(page, of: access, among: all)
                var took: [Double] = []
                for _ in 0..<Self.repeats {
                    let began = SharedClock.nanoseconds
                    _ = try await page.read(access)
                    took.append(Double(SharedClock.nanoseconds - began) / 1_000_000)
                }
                times[page.name] = .number(Spread(took).percentile(50))
            }
            result[kind.rawValue] = .object(times)
        }
        try await replica.close()
        return .object(result)
    }

    /// Writes records in batches, and returns the seconds that this took.
    @discardableResult
    private func write(
        _ numbers: Range<Int>, _ collection: RecordCollection, to replica: Replica,
        in household: Household, _ generator: inout SplitMix
    ) async throws -> Double {
        var edits: [[Edit]] = []
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: Self.batchCount) {
            edits.append(
                (start..<min(start + Self.batchCount, numbers.upperBound)).map {
                    edit($0, collection, &generator)
                })
        }
        let began = SharedClock.nanoseconds
        for (index, some) in edits.enumerated() {
            _ = try await replica.author(
                some, in: household.space.id,
                wallTime: BenchReplica.wallTime
                    + .milliseconds(numbers.lowerBound / Self.batchCount + index))
        }
        return Double(SharedClock.nanoseconds - began) / 1e9
    }

    private func edit(
        _ number: Int, _ collection: RecordCollection, _ generator: inout SplitMix
    ) -> Edit {
        func offset() -> Double { (Double(generator.below(2001)) - 1000) / 1000 }
        let rare = number.isMultiple(of: Self.foundEvery) ? "같이산책하자 " : ""
        let frequent = number.isMultiple(of: 2) ? "오늘은 " : ""
        return .create(
            collection: collection.name, nonce: SignedWorkload.nonce(number),
            fields: [
                "category": .integer(Int64(generator.below(5))),
                "title": .text(rare + words(3, &generator)),
                "text": .text(frequent + words(25, &generator)),
                "latitude": .real(Self.middle.latitude + offset() * 0.0899),
                "longitude": .real(Self.middle.longitude + offset() * 0.1134),
            ])
    }

    /// Returns words of one to six syllables, drawn from a thousand.
    private func words(_ count: Int, _ generator: inout SplitMix) -> String {
        (0..<count).map { _ in
            String(
                String.UnicodeScalarView(
                    (0...generator.below(6)).compactMap { _ in
                        Unicode.Scalar(UInt32(0xac00 + generator.below(1000) * 11))
                    }))
        }.joined(separator: " ")
    }

    // MARK: Pages

    /// A page that is measured.
    private struct Page {
        enum Kind: String, CaseIterable {
            case near
            case newest
            case category
            case search
        }

        let kind: Kind
        let name: String
        /// Reads the page as a plugin does.
        let read: (BenchReads) async throws -> [Row]
        /// Whether a record belongs to the list of the page.
        let belongs: (Row) -> Bool
        /// The distance by which the list is sorted; nil for the newest first.
        var metres: ((Row) -> Double)?
    }

    private static func pages() throws -> [Page] {
        let centre = try Point(latitude: middle.latitude, longitude: middle.longitude)
        func metres(_ row: Row) -> Double {
            let point = try? Point(
                latitude: row.real("latitude") ?? 0, longitude: row.real("longitude") ?? 0)
            return point.map(centre.distanceMetres) ?? .infinity
        }
        let near = [700.0, 3000, 20_000].compactMap { radius -> Page? in
            guard let area = Area(around: centre, radiusMetres: radius) else { return nil }
            return Page(
                kind: .near, name: "the nearest within \(Int(radius)) m",
                read: { try await $0.nearest(pageCount, in: area, nearestSQL) },
                belongs: { metres($0) <= radius }, metres: metres)
        }
        let inArea = Page(
            kind: .newest, name: "the newest within 700 m",
            read: {
                try await $0.rows(
                    areaSQL, [.real(centre.latitude), .real(centre.longitude), .real(700)])
            }, belongs: { metres($0) <= 700 })
        let inCity = [3000.0, 20_000].map { radius in
            Page(
                kind: .newest, name: "the newest within \(Int(radius)) m, in the order of time",
                read: {
                    try await $0.rows(
                        timeSQL, [.real(centre.latitude), .real(centre.longitude), .real(radius)])
                }, belongs: { metres($0) <= radius })
        }
        let newest = Page(
            kind: .newest, name: "the newest", read: { try await $0.rows(newestSQL) },
            belongs: { _ in true })
        let category = Page(
            kind: .category, name: "the newest of a category",
            read: { try await $0.rows(categorySQL, [.integer(3)]) },
            belongs: { $0.integer("category") == 3 })
        let searches = ["산책", "늘은"].map { word in
            Page(
                kind: .search, name: "the newest with \(word)",
                read: { try await $0.rows(searchSQL, [.text(word)]) },
                belongs: { row in
                    ["title", "text"].contains { row.text($0)?.contains(word) == true }
                })
        }
        return near + inCity + [inArea, newest, category] + searches
    }

    private static let areaJoin = """
        SELECT a.*, waggle_metres(a.latitude, a.longitude, ?1, ?2) AS metres
        FROM bench_advert_near n JOIN bench_advert_found f ON f.id = n.id
        JOIN bench_advert a ON a.space = f.space AND a.entity = f.entity
        WHERE n.id MATCH waggle_area(?1, ?2, ?3) AND metres <= ?3
        """
    private static let nearestSQL = "\(areaJoin) ORDER BY metres, a.entity LIMIT \(pageCount)"
    private static let areaSQL = "\(areaJoin) ORDER BY n.id DESC LIMIT \(pageCount)"
    /// A large area has many records, so of the newest ones some belong to it.
    private static let timeSQL = """
        SELECT * FROM bench_advert WHERE waggle_metres(latitude, longitude, ?1, ?2) <= ?3
        ORDER BY stamp DESC, creator DESC, entity DESC LIMIT \(pageCount)
        """
    private static let newestSQL = """
        SELECT * FROM bench_advert ORDER BY stamp DESC, creator DESC, entity DESC
        LIMIT \(pageCount)
        """
    private static let categorySQL = """
        SELECT * FROM bench_advert WHERE category = ?
        ORDER BY stamp DESC, creator DESC, entity DESC LIMIT \(pageCount)
        """
    private static let searchSQL = """
        SELECT a.* FROM bench_advert_search
        JOIN bench_advert_found f ON f.id = bench_advert_search.rowid
        JOIN bench_advert a ON a.space = f.space AND a.entity = f.entity
        WHERE bench_advert_search MATCH waggle_terms(?)
        ORDER BY bench_advert_search.rowid DESC LIMIT \(pageCount)
        """

    /// Compares a page with a scan of all records, which are sorted by time. Records of one batch
    /// have one time, so their order is not compared.
    private func check(_ page: Page, of access: BenchReads, among all: [Row]) async throws {
        let found = try await page.read(access)
        let wanted = all.filter(page.belongs)
        func keys(_ rows: [Row]) -> [Double] {
            rows.map { page.metres?($0) ?? -Double($0.integer("stamp") ?? 0) }
        }
        let expected = keys(wanted).sorted().prefix(Self.pageCount)
        guard found.allSatisfy(page.belongs), keys(found) == Array(expected), !found.isEmpty,
            Set(found.compactMap { $0.entity("entity") }).count == found.count
        else { throw BenchFault.wrongPage("the page of \(page.name)") }
    }
}

/// Reads as a plugin that may read some tables.
private struct BenchReads: ReplicaAccess {
    let replica: Replica
    let tables: Set<String>

    func requireWritable() async throws {}

    func open(_ space: SpaceDescriptor) async throws { try await replica.open(space) }

    func author(_ edits: [Edit], in space: SpaceDescriptor) async throws -> [EntityID] {
        try await replica.author(edits, in: space.id, wallTime: BenchReplica.wallTime).created
    }

    func rows(_ sql: String, _ arguments: [Value]) async throws -> [Row] {
        try await replica.read(sql, arguments, allowedTables: tables)
    }
}
