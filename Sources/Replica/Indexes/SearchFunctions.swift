internal import GRDB

/// The SQL functions of the full-text index, which every connection of a replica has.
enum SearchFunctions {
    /// Returns the terms of a text to index. The triggers of ``DeclaredIndexes`` call it.
    static let grams = "waggle_grams"
    /// Returns the `MATCH` expression for a person's query.
    static let terms = "waggle_terms"
    /// Returns whether a query finds a text: `waggle_finds(query, text)`. It compares the text
    /// itself, which costs less than the index if few records come into question.
    static let finds = "waggle_finds"

    /// Adds the functions to a connection.
    static func add(to database: Database) {
        database.add(function: function(grams, SearchText.grams))
        database.add(function: function(terms, SearchText.terms))
        database.add(
            function: DatabaseFunction(finds, argumentCount: 2, pure: true) { values in
                let texts = values.map { String.fromDatabaseValue($0) ?? "" }
                return SearchText.finds(texts[0], in: texts[1])
            })
    }

    private static func function(
        _ name: String, _ body: @escaping @Sendable (String) -> String
    ) -> DatabaseFunction {
        DatabaseFunction(name, argumentCount: 1, pure: true) { values in
            values.first.flatMap { String.fromDatabaseValue($0) }.map(body) ?? body("")
        }
    }
}
