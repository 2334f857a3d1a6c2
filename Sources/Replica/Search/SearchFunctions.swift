internal import GRDB

/// The SQL functions of the full-text index, which every connection of a replica has.
enum SearchFunctions {
    /// What a text is indexed by. The triggers of ``SearchIndex`` call it.
    static let grams = "waggle_grams"
    /// What `MATCH` takes for a question as a person types it.
    static let terms = "waggle_terms"

    /// Adds them to a connection.
    static func add(to database: Database) {
        database.add(function: function(grams, SearchText.grams))
        database.add(function: function(terms, SearchText.terms))
    }

    private static func function(
        _ name: String, _ body: @escaping @Sendable (String) -> String
    ) -> DatabaseFunction {
        DatabaseFunction(name, argumentCount: 1, pure: true) { values in
            values.first.flatMap { String.fromDatabaseValue($0) }.map(body) ?? body("")
        }
    }
}
