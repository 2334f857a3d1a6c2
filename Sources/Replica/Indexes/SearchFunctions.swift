internal import GRDB

/// The SQL functions of the full-text index, which every connection of a replica has.
enum SearchFunctions {
    /// Returns the terms of a text to index. The triggers of ``DeclaredIndexes`` call it.
    static let grams = "waggle_grams"
    /// Returns the `MATCH` expression for a person's query.
    static let terms = "waggle_terms"

    /// Adds the functions to a connection.
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
