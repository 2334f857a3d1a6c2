internal import GRDB
internal import Records

/// The indexes of a collection that SQL's own cannot replace: its full-text index, and the R-Tree
/// of its locations.
///
/// Triggers keep them in step with the collection's table: a merge, a rebuild, an erase and the end
/// of a space all write that table.
struct DeclaredIndexes {
    let search: SearchIndex?
    let near: NearIndex?
    private let table: String
    private let numbers: RecordNumbers

    /// Makes the indexes of a collection, or nil if it declares none.
    init?(_ collection: RecordCollection) {
        let numbers = RecordNumbers(collection)
        search = SearchIndex(collection, numbers: numbers.name)
        near = NearIndex(collection, numbers: numbers.name)
        guard search != nil || near != nil else { return nil }
        table = collection.table
        self.numbers = numbers
    }

    /// The statements that create tables and triggers. A row whose record turns out to have begun
    /// earlier gets another number, so it leaves all indexes and enters them again.
    var createSQL: [String] {
        let insertions = [numbers.insertion, search?.insertion, near?.insertion]
            .compactMap { $0 }.joined(separator: "\n")
        let deletions = [search?.deletion, near?.deletion, numbers.deletion]
            .compactMap { $0 }.joined(separator: "\n")
        return [numbers.createSQL] + [search?.createSQL, near?.createSQL].compactMap { $0 } + [
            trigger("found_insert", "AFTER INSERT", insertions),
            trigger("found_delete", "AFTER DELETE", deletions),
            trigger(
                "found_update", "AFTER UPDATE", when: "old.stamp <> new.stamp",
                deletions + "\n" + insertions),
        ]
            + [
                search.map {
                    update("search_update", $0.isChanged, $0.deletion + "\n" + $0.insertion)
                },
                near.map { update("near_update", $0.isChanged, $0.deletion + "\n" + $0.insertion) },
            ].compactMap { $0 }
    }

    private func update(_ name: String, _ isChanged: String, _ body: String) -> String {
        trigger(
            name, "AFTER UPDATE", when: "old.stamp = new.stamp AND (\(isChanged))", body)
    }

    private func trigger(
        _ name: String, _ event: String, when condition: String? = nil, _ body: String
    ) -> String {
        let condition = condition.map { " WHEN \($0)" } ?? ""
        return """
            CREATE TRIGGER "\(table)_\(name)" \(event) ON "\(table)"\(condition) BEGIN
                \(body)
            END
            """
    }

    /// Removes what deleted rows left behind in the tables of the indexes.
    func scrub(_ database: Database) throws {
        try search?.scrub(database)
        try near?.scrub(database)
    }
}
