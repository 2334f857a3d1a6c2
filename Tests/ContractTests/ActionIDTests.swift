import Contract
import Testing

struct ActionIDTests {
    @Test(arguments: [
        (String(repeating: "a", count: 16), true), (String(repeating: "Z9_-", count: 16), true),
        (String(repeating: "a", count: 15), false), (String(repeating: "a", count: 65), false),
        ("", false), ("0123456789abcde ", false), ("0123456789abcdé", false),
        ("0123456789abcdef\n", false),
    ])
    func `an id has 16 to 64 letters, digits, hyphens and underscores`(
        text: String, isAdmitted: Bool
    ) {
        #expect((ActionID(text) != nil) == isAdmitted)
    }

    @Test func `a new id has 32 digits and differs from the one before`() {
        var random = SystemRandomNumberGenerator()
        let (one, other) = (ActionID(using: &random), ActionID(using: &random))
        #expect(one.string.count == 32 && ActionID(one.string) == one)
        #expect(one != other)
    }
}
