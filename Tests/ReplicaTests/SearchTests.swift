import Foundation
import GRDB
import Identity
import Records
import Replica
import TestSupport
import Testing

/// Declared text fields are found by any letters within a word, and the index follows every change
/// of their records.
struct SearchTests {
    private let homes = Homes()
    private let me: Someone
    private let mate: Someone
    private let pair: SpaceDescriptor

    /// A record that can change and be erased.
    private static let letter = RecordCollection(
        "test.letter/1", table: "letter", spaces: [.pair], isErasable: true,
        searched: ["subject", "text"],
        fields: [
            .init(1, "subject", .text(bytesMax: 200)),
            .init(2, "text", .text(bytesMax: Limits.valueBytesMax), merge: .append),
        ])

    init() throws {
        me = try Someone(seed: 1)
        mate = try Someone(seed: 2)
        pair = .between(me.person, mate.person)
    }

    private func replica(of someone: Someone, _ home: Home? = nil) async throws -> Replica {
        try await (home ?? homes.make()).replica(
            of: someone.key, knowing: [me, mate], in: [pair], collections: [Self.letter])
    }

    /// Writes a letter; the stamp's millisecond is `at`.
    @discardableResult
    private func write(
        _ text: String, subject: String? = nil, by replica: Replica, at wall: Timestamp = now,
        _ nonce: UInt8 = 0
    ) async throws -> EntityID {
        var bytes = [UInt8](repeating: nonce, count: 8)
        bytes.append(contentsOf: UUID().uuidString.utf8.prefix(8))
        var fields: [String: Value] = ["text": .text(text)]
        fields["subject"] = subject.map { .text($0) }
        let commit = try await replica.author(
            [
                .create(
                    collection: Self.letter.name, nonce: try #require(Bytes16(bytes)),
                    fields: fields)
            ], in: pair.id, wallTime: wall)
        return try #require(commit.created.first)
    }

    /// Returns the letters that are found, the newest first.
    private func found(_ question: String, in replica: Replica) async throws -> [EntityID] {
        try await replica.read(
            """
            SELECT f.entity AS entity FROM letter_search
            JOIN letter_found f ON f.id = letter_search.rowid
            WHERE letter_search MATCH waggle_terms(?) ORDER BY letter_search.rowid DESC
            """, [.text(question)], allowedTables: Set(Self.letter.tables)
        ).compactMap { $0.entity("entity") }
    }

    private func send(from one: Replica, _ author: Someone, to other: Replica) async throws {
        let log = LogName(device: author.device)
        let reached = await other.heads(in: pair.id).first { $0.log == log }?.high ?? 0
        let run = try #require(
            try await one.runs(in: pair.id, log: log, after: reached, bytesMax: 1 << 18))
        #expect(try await other.merge([(pair.id, run)], wallTime: now).faults.isEmpty)
    }

    // MARK: Versions of the terms

    /// Changes a home as if another version of the terms had made its index: it has other terms
    /// for the one text in it.
    private func makeOtherVersion(_ home: Home, of text: String, terms: String) async throws {
        let queue = try DatabaseQueue(path: home.file())
        try await queue.write { database in
            database.add(
                function: DatabaseFunction("waggle_grams", argumentCount: 1) { values in
                    values.first.flatMap { String.fromDatabaseValue($0) } == text ? terms : ""
                })
            let declaration = try #require(
                try String.fetchOne(
                    database, sql: "SELECT declaration FROM collection WHERE name = ?",
                    arguments: [Self.letter.name]))
            let lines = declaration.split(separator: "\n").map {
                $0.hasPrefix("terms ") ? "terms of another version" : String($0)
            }
            try database.execute(
                sql: "UPDATE collection SET declaration = ?",
                arguments: [lines.joined(separator: "\n")])
            // The triggers index the row again, now with the other terms.
            try database.execute(
                sql: """
                    INSERT INTO letter_search (letter_search) VALUES ('delete-all');
                    DELETE FROM letter_found;
                    CREATE TEMP TABLE kept AS SELECT * FROM letter;
                    DROP TRIGGER letter_found_delete;
                    DELETE FROM letter;
                    INSERT INTO letter SELECT * FROM kept;
                    """)
        }
        try queue.close()
    }

    @Test func `an index made with other terms is made again, so an erased text leaves it`()
        async throws
    {
        let home = try homes.make()
        let before = try await replica(of: me, home)
        let letter = try await write("산책하자", by: before)
        try await before.close()
        try await makeOtherVersion(home, of: "산책하자", terms: "ab bc")
        let after = try await replica(of: me, home)
        #expect(try await found("산책", in: after) == [letter])
        #expect(try await found("ab", in: after).isEmpty)
        _ = try await after.author(
            [.erase(collection: Self.letter.name, entity: letter)], in: pair.id,
            wallTime: now + .milliseconds(1))
        let left = try await after.read(
            "SELECT count(*) AS n FROM letter_search WHERE letter_search MATCH ?",
            [.text("\"ab\"")], allowedTables: Set(Self.letter.tables))
        #expect(left.first?.integer("n") == 0)
    }

    @Test func `the version of the terms is the same at each start`() async throws {
        let home = try homes.make()
        let before = try await replica(of: me, home)
        try await write("산책하자", by: before)
        try await before.close()
        func rootPage() throws -> Int? {
            let queue = try DatabaseQueue(path: home.file())
            defer { try? queue.close() }
            return try queue.read { database in
                try Int.fetchOne(
                    database, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'letter'")
            }
        }
        let table = try rootPage()
        let again = try await replica(of: me, home)
        try await again.close()
        #expect(try rootPage() == table)
    }

    // MARK: Results

    static let hits: [(text: String, question: String)] = [
        ("같이산책하자", "산책"), ("같이산책하자", "같이산책하자"), ("같이산책하자", "자"), ("같이산책하자", "이"),
        ("같이산책하자", "같이산책하자".decomposedStringWithCanonicalMapping),
        ("같이산책하자".decomposedStringWithCanonicalMapping, "산책"),
        ("Walking the dog", "walk"), ("Walking the dog", "THE"), ("Walking the dog", "dog walking"),
        ("Walking the dog", "alki"), ("Walking the dog", "k"), ("Walking the dog", "g"),
        ("at 18:30, gate 2!", "18:30"), ("at 18:30, gate 2!", "2"), ("ÉCOLE", "école"),
        ("good 🐶 boy", "🐶"), ("a👨‍👩‍👧b", "👩👧"), ("x\"y", "x\"y"), ("(a) OR b*", "or b"),
        ("tab\tand\nline", "and"), ("散歩しよう", "歩し"),
        // Finals that were typed as letters of their own, in each of Unicode's forms.
        ("우리 하ㄴ강에서 만나", "한강"), ("하\u{11ab}강", "한강"), ("하\u{1102}강", "한강"),
        ("한강에서 만나", "하ㄴ강"), ("하ㄴ강", "하ㄴ강"), ("하ㄴ강", "하ㄴ"), ("하ㄴ강", "ㄴ강"), ("ㅎㅏㄴ강", "한강"),
        ("바보ㅋㅋ", "바보"), ("바보ㅋㅋ", "보ㅋㅋ"), ("ㅋㅋㅋ", "ㅋㅋ"), ("하ㄴ강 산책", "산책 한강"),
    ]

    @Test(arguments: hits.indices)
    func `a text is found by letters within its words`(index: Int) async throws {
        let (text, question) = Self.hits[index]
        let replica = try await replica(of: me)
        try await write("more lines", by: replica)
        let letter = try await write(text, by: replica)
        #expect(try await found(question, in: replica) == [letter])
    }

    static let misses: [(text: String, question: String)] = [
        ("같이 산책", "이산"), ("산책", "책산"), ("산책", "산책하자"), ("walk dog", "kd"), ("walk", "wlk"),
        ("walk", "walk dog"), ("walk", ""), ("walk", " \n"), ("walk", "!?\"*"), ("", "walk"),
        ("", ""), ("!?", "!?"), ("walk", "\u{301}\u{302}"),
        ("하ㄴ 강", "한강"), ("하강", "하ㄴ강"), ("하ㄴ강", "하강"), ("하ㄴ강 산책", "강산"),
    ]

    @Test(arguments: misses.indices)
    func `letters that are not within a word of a text do not find it`(index: Int) async throws {
        let (text, question) = Self.misses[index]
        let replica = try await replica(of: me)
        try await write(text, by: replica)
        #expect(try await found(question, in: replica).isEmpty)
    }

    @Test func `every declared field is searched, and the words of a query may be in several`()
        async throws
    {
        let replica = try await replica(of: me)
        let letter = try await write("the gate", subject: "산책", by: replica)
        #expect(try await found("산책", in: replica) == [letter])
        #expect(try await found("gate 산책", in: replica) == [letter])
    }

    @Test func `a query of any length is answered`() async throws {
        let replica = try await replica(of: me)
        let letter = try await write(String(repeating: "ab", count: 400), by: replica)
        #expect(
            try await found(String(repeating: "ab", count: 9000), in: replica) == [letter])
        #expect(try await found(String(repeating: "a b ", count: 9000), in: replica) == [letter])
    }

    @Test func `a text of marks alone is stored, and no query finds it`() async throws {
        let replica = try await replica(of: me)
        try await write(String(repeating: "\u{301}", count: 16_384), by: replica)
        #expect(try await found("\u{301}", in: replica).isEmpty)
    }

    // MARK: Changes

    @Test func `the newest record is found first for any order of arrival`()
        async throws
    {
        let (mine, theirs) = (try await replica(of: me), try await replica(of: mate))
        var letters: [EntityID] = []
        for number in 0..<6 {
            let author = number.isMultiple(of: 2) ? mine : theirs
            letters.append(
                try await write("walk \(number)", by: author, at: now + .seconds(number)))
        }
        try await send(from: theirs, mate, to: mine)
        #expect(try await found("walk", in: mine) == letters.reversed())
        try await send(from: mine, me, to: theirs)
        #expect(try await found("walk", in: theirs) == letters.reversed())
    }

    @Test func `all letters of one millisecond are found, each once`() async throws {
        let (mine, theirs) = (try await replica(of: me), try await replica(of: mate))
        var letters: Set<EntityID> = []
        for number in 0..<40 {
            letters.insert(try await write("walk", by: number < 20 ? mine : theirs))
        }
        try await send(from: theirs, mate, to: mine)
        let found = try await found("walk", in: mine)
        #expect(found.count == 40)
        #expect(Set(found) == letters)
    }

    @Test func `a changed field is found by its present text`() async throws {
        let replica = try await replica(of: me)
        let letter = try await write("text", subject: "morning", by: replica)
        for (subject, gone) in [("evening", "morning"), (nil, "evening"), ("noon", "xyz")] {
            _ = try await replica.author(
                [
                    .set(
                        collection: Self.letter.name, entity: letter,
                        fields: ["subject": subject.map { .text($0) } ?? .null])
                ], in: pair.id, wallTime: now)
            #expect(try await found(gone, in: replica).isEmpty)
            if let subject { #expect(try await found(subject, in: replica) == [letter]) }
            #expect(try await found("text", in: replica) == [letter])
        }
    }

    @Test func `a rebuild does not change the results`() async throws {
        let replica = try await replica(of: me)
        for number in 0..<50 {
            try await write("walk \(number)", by: replica, at: now + .milliseconds(1000))
        }
        let before = try await found("walk", in: replica)
        #expect(before.count == 50)
        try await replica.rebuild(pair.id)
        #expect(try await found("walk", in: replica) == before)
        #expect(try await found("walk 7", in: replica).count >= 1)
    }

    @Test func `a field that is searched later is indexed from the log`() async throws {
        let home = try homes.make()
        let plain = RecordCollection(
            Self.letter.name, table: Self.letter.table, spaces: Self.letter.spaces,
            isErasable: true, fields: Self.letter.fields)
        let before = try await home.replica(
            of: me.key, knowing: [me, mate], in: [pair], collections: [plain])
        let letter = try await write("같이산책하자", by: before)
        try await before.close()
        let replica = try home.replica(me.key, collections: [Self.letter])
        #expect(try await found("산책", in: replica) == [letter])
        try await replica.close()
        // Without the declaration, its tables are dropped.
        let after = try home.replica(me.key, collections: [plain])
        let tables = try await after.read(
            "SELECT name FROM sqlite_master WHERE name LIKE 'letter_%'", allowedTables: nil)
        #expect(tables.isEmpty)
    }

    @Test func `an erased text is not found, and its letters are in no file`() async throws {
        let (home, away) = (try homes.make(), try homes.make())
        let (mine, theirs) = (try await replica(of: me, home), try await replica(of: mate, away))
        let victim = try await write("뷁쒧", by: mine)
        for number in 0..<200 { try await write("같이산책하자 \(number)", by: mine) }
        try await send(from: mine, me, to: theirs)
        for home in [home, away] { #expect(try bytes(of: "뷁쒧", in: home)) }
        _ = try await mine.author(
            [.erase(collection: Self.letter.name, entity: victim)], in: pair.id,
            wallTime: now)
        try await send(from: mine, me, to: theirs)
        for (replica, home) in [(mine, home), (theirs, away)] {
            #expect(try await found("뷁쒧", in: replica).isEmpty)
            #expect(try await found("산책", in: replica).count == 200)
            #expect(try await replica.scrub())
            #expect(try !bytes(of: "뷁쒧", in: home))
            #expect(try await found("산책", in: replica).count == 200)
        }
    }

    @Test func `an erased record leaves no earlier form of any searched field behind`()
        async throws
    {
        let home = try homes.make()
        let replica = try await replica(of: me, home)
        let victim = try await write("뷁쒧", subject: "쐛뤯", by: replica)
        for number in 0..<200 { try await write("같이 \(number)", subject: "하자", by: replica) }
        for subject in ["쭯뛟", "쀍뻷"] {
            _ = try await replica.author(
                [
                    .set(
                        collection: Self.letter.name, entity: victim,
                        fields: ["subject": .text(subject)])
                ], in: pair.id, wallTime: now)
        }
        #expect(try await found("쀍뻷 뷁쒧", in: replica) == [victim])
        let gone = ["뷁쒧", "쐛뤯", "쭯뛟", "쀍뻷"]
        for text in gone { #expect(try bytes(of: text, in: home)) }
        _ = try await replica.author(
            [.erase(collection: Self.letter.name, entity: victim)], in: pair.id,
            wallTime: now)
        #expect(try await replica.scrub())
        for text in gone {
            #expect(try await found(text, in: replica).isEmpty)
            #expect(try !bytes(of: text, in: home))
        }
    }

    private func bytes(of text: String, in home: Home) throws -> Bool {
        try ["", "-wal", "-shm"].map { home.file() + $0 }
            .filter { FileManager.default.fileExists(atPath: $0) }
            .contains { file in
                let data = try Data(contentsOf: URL(fileURLWithPath: file))
                return data.firstRange(of: Data(text.utf8)) != nil
            }
    }

    @Test func `a backup gives the same results as its replica`() async throws {
        let home = try homes.make()
        let replica = try await home.replica(
            of: me.key, knowing: [me, mate], in: [.own(me.person), pair],
            collections: [Self.letter])
        let letter = try await write("같이산책하자", by: replica)
        let file = BackupFile(path: home.file("backup"))
        try file.write(
            replica: home.file(), .init(key: me.key.rawRepresentation, person: me.record.encoded))
        let other = try homes.make()
        try file.unpack(to: other.file())
        let restored = try await self.replica(of: me, other)
        #expect(try await found("산책", in: restored) == [letter])
        try await write("산책 again", by: restored)
        #expect(try await found("산책", in: restored).count == 2)
    }

    // MARK: Declarations and reads

    @Test(arguments: [["nothing"], ["flag"], ["tags"], ["rank"], ["text", "text"]])
    func `a field that cannot be searched is refused`(searched: [String]) throws {
        let fields: [RecordCollection.Field] = [
            .init(1, "flag", .boolean), .init(2, "tags", .text(bytesMax: 9), merge: .addWinsSet),
            .init(3, "rank", .text(bytesMax: 9)), .init(4, "text", .text(bytesMax: 9)),
        ]
        let home = try homes.make()
        #expect(throws: ReplicaFault.self) {
            _ = try home.replica(
                me.key,
                collections: [
                    .init(
                        "test.a/1", table: "a", spaces: [.own], searched: searched, fields: fields)
                ])
        }
    }

    @Test func `an index is closed to plugins to which its collection is closed`() async throws {
        let replica = try await replica(of: me)
        try await write("secret", by: replica)
        let sql = "SELECT rowid FROM letter_search WHERE letter_search MATCH waggle_terms('secret')"
        #expect(
            try await replica.read(sql, allowedTables: Set(Self.letter.tables)).count == 1)
        for sql in [sql, "SELECT * FROM letter_found", "SELECT * FROM letter_search_data"] {
            do {
                _ = try await replica.read(sql, allowedTables: [])
                Issue.record("let through: \(sql)")
            } catch ReplicaFault.notPermitted {}
        }
    }
}
