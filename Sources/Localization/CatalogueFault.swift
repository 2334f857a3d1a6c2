/// The reason that a catalogue cannot be used. A line counts from 1.
public enum CatalogueFault: Error, Hashable, Sendable {
    /// The folder of the translations was not found beside the program or above it.
    case notFound
    /// The file cannot be opened or read.
    case unreadable(path: String)
    /// The file is longer than a catalogue may be.
    case tooLong(limitBytes: Int)
    /// The bytes are not UTF-8.
    case encoding
    /// The header is missing, or names another charset than UTF-8 or other plural forms than
    /// `nplurals=1`.
    case header
    /// A line that is no comment, keyword with a quoted text, or quoted text, or one that is not
    /// expected here.
    case syntax(line: Int)
    /// The entry has a context (`msgctxt`). A translation is found by its sentence alone, so two
    /// entries that differ only in their context would be one.
    case context(line: Int)
    /// A backslash that begins no known escape.
    case escape(line: Int)
    /// The entry that ends here has the id of an earlier one.
    case duplicate(line: Int)
    /// A translation with a bad placeholder, or with others than its id.
    case placeholder(line: Int)
    /// Braces after a placeholder that name no known particle.
    case particle(line: Int)
}
