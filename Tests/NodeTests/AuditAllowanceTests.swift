import Testing

@testable import Node

@Suite struct AuditAllowanceTests {
    @Test func `sixteen ranges a second are hashed at once and the next one waits`() {
        var allowance = AuditAllowance()
        let waits = (0..<17).map { _ in allowance.take(uptime: .milliseconds(250)) }
        #expect(waits.prefix(16).allSatisfy { $0 == .zero })
        #expect(waits[16] == .milliseconds(750))
    }

    @Test func `who goes on asking waits ever longer`() {
        var allowance = AuditAllowance()
        let waits = (0..<64).map { _ in allowance.take(uptime: .zero) }
        #expect(waits.last == .seconds(3))
    }

    @Test func `a second later there is room again`() {
        var allowance = AuditAllowance()
        for _ in 0..<16 { _ = allowance.take(uptime: .zero) }
        #expect(allowance.take(uptime: .seconds(1)) == .zero)
    }

    @Test func `a range that took long makes the next one wait twice as long`() {
        var allowance = AuditAllowance()
        _ = allowance.take(uptime: .zero)
        allowance.spend(.milliseconds(200), uptime: .milliseconds(200))
        #expect(allowance.take(uptime: .milliseconds(200)) == .milliseconds(400))
        #expect(allowance.take(uptime: .milliseconds(600)) == .zero)
    }
}
