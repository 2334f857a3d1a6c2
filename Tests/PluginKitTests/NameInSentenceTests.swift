import PluginKit
import Records
import Testing

@Suite struct NameInSentenceTests {
    private let ann = PersonID(raw: Digest.person.hash([1]))
    private let ben = PersonID(raw: Digest.person.hash([2]))

    @Test func `a person has their name in a sentence`() {
        #expect([ann: "Ann"].sentence(for: ann) == "Ann")
    }

    @Test func `digits of a key are no name`() {
        #expect([:].sentence(for: ann) == "Someone without a name")
        #expect([ann: ann.suffix, ben: "Ben"].sentence(for: ann) == "Someone without a name")
    }

    @Test func `two people without a name are told apart by their keys`() {
        let names = [ann: ann.suffix, ben: ben.suffix]
        #expect(names.sentence(for: ann) == "Someone without a name (\(ann.suffix))")
    }
}
