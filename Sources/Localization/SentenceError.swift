/// An error that says to a person what is wrong and what to do, in any language.
public protocol SentenceError: Error, CustomStringConvertible {
    /// A sentence that names the mistake and the remedy.
    var sentence: Sentence { get }
}

extension SentenceError {
    /// The sentence in English, as logs have it.
    public var description: String { sentence.english }
}

extension Sentence.Interpolation {
    /// Inserts the sentence of an error, which is translated with the outer one.
    public mutating func appendInterpolation(_ error: some SentenceError) {
        appendInterpolation(error.sentence)
    }
}
