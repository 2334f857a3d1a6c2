import Testing

@testable import CommandLineKit

struct SpellingTests {
    @Test(arguments: [
        ("status", "status", 0), ("stauts", "status", 1), ("status", "statu", 1), ("", "abc", 3),
        ("abc", "axc", 1), ("kitten", "sitting", 3),
    ])
    func `the distance is the number of typing mistakes`(left: String, right: String, count: Int) {
        #expect(Spelling.distance(Array(left), Array(right)) == count)
    }

    @Test func `a word with two mistakes is guessed, one with three is not`() {
        #expect(Spelling.nearest(to: "complteoin", among: ["completion"]) == "completion")
        #expect(Spelling.nearest(to: "cmplteoin", among: ["completion"]) == nil)
    }

    @Test func `a short word is not guessed from half of its letters`() {
        #expect(Spelling.nearest(to: "xy", among: ["me"]) == nil)
        #expect(Spelling.nearest(to: "m", among: ["me"]) == nil)
    }
}
