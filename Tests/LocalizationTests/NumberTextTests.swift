import Localization
import Testing

struct NumberTextTests {
    @Test(arguments: [
        (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (12_345, "12,345"),
        (999_999, "999,999"), (1_000_000, "1,000,000"), (-1, "-1"), (-999, "-999"),
        (-1000, "-1,000"),
    ])
    func `a count has a comma before every three digits`(count: Int, text: String) {
        #expect(NumberText.grouped(count) == text)
    }

    @Test func `the largest and the smallest numbers are written whole`() {
        #expect(NumberText.grouped(Int64.max) == "9,223,372,036,854,775,807")
        #expect(NumberText.grouped(Int64.min) == "-9,223,372,036,854,775,808")
        #expect(NumberText.grouped(UInt8(255)) == "255")
    }
}
