import Testing

@testable import Node

/// When the store is compared with peers, and when erased bytes are removed from its files.
struct StoreHealthTests {
    @Test func `an audit that is due begins once, when it can`() {
        var health = StoreHealth(isAuditDue: true)
        var begun = [false, true, true].map { health.beginAudit(ifReady: $0) }
        health.requestAudit()
        begun.append(health.beginAudit(ifReady: true))
        #expect(begun == [false, true, false, true])
    }

    @Test func `nothing is asked of the peers when no audit is due`() {
        var health = StoreHealth(isAuditDue: false)
        var isAsked = false
        func isReady() -> Bool {
            isAsked = true
            return true
        }
        let isBegun = health.beginAudit(ifReady: isReady())
        #expect(!isBegun && !isAsked)
    }

    @Test func `after a scrub the files rest twenty times as long as it took`() {
        var health = StoreHealth(isAuditDue: false)
        #expect(health.mayScrub(now: .zero))
        health.recordScrub(from: .seconds(10), to: .seconds(11))
        #expect(!health.mayScrub(now: .milliseconds(30_999)))
        #expect(health.mayScrub(now: .seconds(31)))
    }

    @Test func `after a scrub that failed the files rest five minutes`() {
        var health = StoreHealth(isAuditDue: false)
        health.recordFailedScrub(now: .seconds(10))
        #expect(!health.mayScrub(now: .seconds(309)))
        #expect(health.mayScrub(now: .seconds(310)))
    }
}
