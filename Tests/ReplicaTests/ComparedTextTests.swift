import Identity
import Records
import Replica
import TestSupport
import Testing

/// A text that is compared with a query is found by the same queries as by the index.
struct ComparedTextTests {
    private let homes = Homes()

    private static let letter = RecordCollection(
        "test.compared/1", table: "compared", spaces: [.own], searched: ["text"],
        fields: [.init(1, "text", .text(bytesMax: 200))])

    private func replica() async throws -> (replica: Replica, space: SpaceID) {
        let me = try Someone(seed: 1)
        let space = SpaceDescriptor.own(me.person)
        let replica = try await homes.make().replica(
            of: me.key, knowing: [me], in: [space], collections: [Self.letter])
        return (replica, space.id)
    }

    private func finds(
        _ question: String, in text: String?, _ replica: Replica
    ) async throws -> Bool {
        let rows = try await replica.read(
            "SELECT waggle_finds(?, ?) AS found",
            [.text(question), text.map { .text($0) } ?? .null], allowedTables: [])
        return try #require(rows.first).isTrue("found")
    }

    @Test func `letters within words find a text, and others do not`() async throws {
        let replica = try await replica().replica
        for (text, question) in SearchTests.hits {
            #expect(try await finds(question, in: text, replica), "\(question) in \(text)")
        }
        for (text, question) in SearchTests.misses {
            #expect(try await !finds(question, in: text, replica), "\(question) in \(text)")
        }
        #expect(try await !finds("walk", in: nil, replica))
    }

    @Test func `of a long query as many letters are compared as the index uses`() async throws {
        let replica = try await replica().replica
        let question = String(repeating: "ab", count: 9000)
        let used = String(repeating: "ab", count: 128)
        #expect(try await finds(question, in: "x" + used, replica))
        #expect(try await !finds(question, in: String(used.dropLast()), replica))
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `drawn texts are found by the index as by a comparison`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        func text(_ words: ClosedRange<Int>) -> String {
            (0..<Int.random(in: words, using: &generator)).map { _ in
                String(
                    (0..<Int.random(in: 1...4, using: &generator)).compactMap { _ in
                        "abA산책é".randomElement(using: &generator)
                    })
            }.joined(separator: [" ", "-", ", "].randomElement(using: &generator) ?? " ")
        }
        let (replica, space) = try await replica()
        for _ in 0..<60 {
            _ = try await replica.author(
                [
                    .create(
                        collection: Self.letter.name,
                        nonce: try #require(Bytes16(generator.bytes(16))),
                        fields: ["text": .text(text(0...6))])
                ], in: space, wallTime: now)
        }
        var foundCount = 0
        for _ in 0..<150 {
            let question = text(1...2)
            let found = try await replica.read(
                """
                SELECT f.entity AS entity FROM compared_search
                JOIN compared_found f ON f.id = compared_search.rowid
                WHERE compared_search MATCH waggle_terms(?)
                """, [.text(question)], allowedTables: nil
            ).compactMap { $0.entity("entity") }
            let compared = try await replica.read(
                "SELECT entity FROM compared WHERE waggle_finds(?, text)", [.text(question)],
                allowedTables: nil
            ).compactMap { $0.entity("entity") }
            #expect(Set(found) == Set(compared), "\(question), seed \(seed)")
            foundCount += found.count
        }
        #expect(foundCount > 200)
    }

    @Test func `the index has the first letters of its terms`() async throws {
        let replica = try await replica().replica
        let tables = try await replica.read(
            "SELECT sql FROM sqlite_master WHERE name = 'compared_search'", allowedTables: nil)
        // Without it, a query of one letter reads all terms that begin with the letter.
        #expect(tables.first?.text("sql")?.contains("prefix = '1'") == true)
    }
}
