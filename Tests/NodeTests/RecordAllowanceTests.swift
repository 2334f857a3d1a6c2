import Testing

@testable import Node

@Suite struct RecordAllowanceTests {
    @Test func `a second's checks are free, and the next one waits for the next second`() {
        var allowance = RecordAllowance()
        let cost = RecordAllowance.checksPerRecord + 1
        let pauses = (0..<RecordAllowance.checksPerSecondMax / cost).map { _ in
            allowance.spend(1, uptime: .milliseconds(5250))
        }
        #expect(pauses.allSatisfy { $0 == .zero })
        let next = allowance.spend(1, uptime: .milliseconds(5250))
        #expect(next == .milliseconds(750))
        let later = allowance.spend(1, uptime: .seconds(7))
        #expect(later == .zero)
    }
}
