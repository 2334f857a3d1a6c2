import FeaturesAPI
import Foundation
import PluginKit
import Records
import Testing

/// Names that are the same neighbourhood, and names that are refused.
@Suite struct NeighbourhoodNameTests {
    private func canonical(_ text: String) -> String? {
        (try? NeighbourhoodName(text))?.canonical
    }

    @Test func `composed and decomposed letters are one name`() throws {
        let composed = "성수동".precomposedStringWithCanonicalMapping
        let decomposed = "성수동".decomposedStringWithCanonicalMapping
        let halfComposed = "서\u{11bc}수도\u{11bc}"
        #expect(Array(composed.utf8) != Array(decomposed.utf8))
        let names = try [composed, decomposed, halfComposed].map { try NeighbourhoodName($0) }
        #expect(Set(names).count == 1)
        // Swift compares texts by canonical equivalence, so the bytes are compared.
        for name in names { #expect(Array(name.canonical.utf8) == Array(composed.utf8)) }
        let spaces = names.map { SpaceDescriptor.open(name: $0.canonical).id }
        #expect(Set(spaces).count == 1)
    }

    @Test func `capitals and white space do not matter, and the name is shown as typed`() throws {
        let name = try NeighbourhoodName("\u{3000} Seongsu-Dong \u{a0}\u{2003}4  ")
        #expect(name.string == "Seongsu-Dong 4")
        #expect(name.canonical == "seongsu-dong 4")
        #expect(try name == NeighbourhoodName("SEONGSU-DONG 4"))
        #expect(try name != NeighbourhoodName("Seongsu Dong 4"))
    }

    @Test(arguments: [
        ("Straße", "strasse"), ("STRAẞE", "strasse"), ("ΟΔΟΣ", "οδοσ"), ("οδος", "οδοσ"),
        ("İstanbul", "i\u{307}stanbul"), ("ISTANBUL", "istanbul"), ("ıstanbul", "ıstanbul"),
        ("Ǆ", "ǆ"), ("\u{212a}öln", "köln"), ("ŉ", "ʼn"), ("\u{1fb3}", "αι"), ("Ꭰꮝ", "ᎠᏍ"),
        ("ﬁ", "fi"), ("\u{1f80}", "ἀι"), ("Camp 🏕️", "camp 🏕️"),
    ])
    func `case folding is that of Unicode`(typed: String, folded: String) {
        #expect(canonical(typed).map { Array($0.utf8) } == Array(folded.utf8))
        #expect(canonical(folded).map { Array($0.utf8) } == Array(folded.utf8))
    }

    @Test func `a canonical name is its own canonical name, for every letter`() {
        for value in UInt32(0x21)...0x1ffff {
            guard let scalar = Unicode.Scalar(value), let once = canonical("x\(scalar)x") else {
                continue
            }
            #expect(canonical(once).map { Array($0.utf8) } == Array(once.utf8), "\(value)")
        }
    }

    @Test(arguments: [
        "", "  ", "\u{200b}", "a\u{7}b", "a\nb", "a\u{202e}b", "a\u{2066}b",
    ])
    func `blank names, control characters and marks of direction are refused`(text: String) {
        #expect(throws: CommandFault.self) { try NeighbourhoodName(text) }
    }

    @Test func `64 bytes of the canonical form are accepted and 65 refused`() throws {
        #expect(canonical(String(repeating: "a", count: 64)) != nil)
        #expect(canonical(String(repeating: "a", count: 65)) == nil)
        #expect(canonical(String(repeating: "성", count: 21)) != nil)
        #expect(canonical(String(repeating: "성", count: 21) + "a") != nil)
        #expect(canonical(String(repeating: "성", count: 21) + "aa") == nil)
        // What was typed may be longer than what it folds to.
        #expect(canonical(String(repeating: "\u{212a}", count: 64)) != nil)
        do {
            _ = try NeighbourhoodName(String(repeating: "성", count: 22))
            Issue.record("66 bytes are accepted")
        } catch {
            #expect(error.sentence.hasSuffix("21 Korean letters have; it has 66"))
        }
    }

    @Test func `invisible characters make no other neighbourhood`() throws {
        for text in ["a\u{200b}b", "a\u{200f}b", "\u{2060}ab"] {
            #expect(try NeighbourhoodName(text).canonical == "ab")
        }
    }
}
