import Testing

@testable import Practice

struct WaitingMattersTests {
    /// Returns how long a matter has waited, in one look.
    private func look(
        _ matters: inout WaitingMatters, of matter: String, _ second: Int
    ) -> Duration {
        defer { matters.endLook() }
        return matters.wait(of: matter, at: .seconds(second))
    }

    @Test func `a matter waits from the look that first found it`() {
        var matters = WaitingMatters()
        #expect(look(&matters, of: "a", 5) == .zero)
        #expect(look(&matters, of: "a", 7) == .seconds(2))
        matters.remove("a")
        #expect(look(&matters, of: "a", 8) == .zero)
    }

    @Test func `a matter that a look does not find is forgotten`() {
        var matters = WaitingMatters()
        for number in 0..<1000 { _ = look(&matters, of: "walk \(number)", number) }
        #expect(matters.count == 1)
        matters.endLook()
        #expect(matters.count == 0)
        #expect(look(&matters, of: "walk 999", 2000) == .zero)
    }
}
