internal import Foundation

extension String {
    /// The text in Unicode's form NFC.
    ///
    /// Foundation composes "하" and a final consonant after it only if "하" is two letters as well, so
    /// the text is decomposed first.
    package var composed: String {
        decomposedStringWithCanonicalMapping.precomposedStringWithCanonicalMapping
    }

    /// The text in Unicode's form NFKC, in which wide letters are ordinary ones.
    package var compatiblyComposed: String {
        decomposedStringWithCompatibilityMapping.precomposedStringWithCanonicalMapping
    }
}
