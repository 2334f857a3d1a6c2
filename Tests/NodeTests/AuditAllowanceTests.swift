import Records
import Sync
import Testing

@testable import Node

@Suite struct AuditAllowanceTests {
    private let longest = Limits.auditBatchesMax

    @Test func `sixteen of the longest ranges a second are hashed at once, and the next waits`() {
        var allowance = AuditAllowance()
        let waits = (0..<17).map { _ in allowance.spend(longest, uptime: .milliseconds(250)) }
        #expect(waits.prefix(16).allSatisfy { $0 == .zero })
        #expect(waits[16] == .milliseconds(750))
    }

    @Test func `a thousand single batches a second are hashed at once, and the next one waits`() {
        var allowance = AuditAllowance()
        let waits = (0..<1025).map { _ in allowance.spend(1, uptime: .zero) }
        #expect(waits.prefix(1024).allSatisfy { $0 == .zero })
        #expect(waits[1024] == .seconds(1))
    }

    @Test func `a peer that continues to ask waits longer each time`() {
        var allowance = AuditAllowance()
        let waits = (0..<64).map { _ in allowance.spend(longest, uptime: .zero) }
        #expect(waits.last == .seconds(3))
    }

    @Test func `one second later, ranges are hashed at once again`() {
        var allowance = AuditAllowance()
        for _ in 0..<16 { _ = allowance.spend(longest, uptime: .zero) }
        #expect(allowance.spend(longest, uptime: .seconds(1)) == .zero)
    }

    @Test func `a range that took long makes the next one wait twice as long`() {
        var allowance = AuditAllowance()
        _ = allowance.spend(1, uptime: .zero)
        allowance.recordWork(.milliseconds(200), uptime: .milliseconds(200))
        #expect(allowance.spend(1, uptime: .milliseconds(200)) == .milliseconds(400))
        #expect(allowance.spend(1, uptime: .milliseconds(600)) == .zero)
    }

    @Test func `a peer that sends ranges forever makes no progress after a limit`() {
        var findings = AuditFindings()
        for _ in 0..<AuditFindings.heardMax - 1 { findings.recordHeard() }
        #expect(findings.heardCount == AuditFindings.heardMax - 1)
        for _ in 0..<2 { findings.recordHeard() }
        #expect(findings.heardCount == AuditFindings.heardMax)
        findings.beginAnew()
        #expect(findings.heardCount == 0)
    }
}
