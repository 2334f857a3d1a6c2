import Replica
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
        #expect(health.mayScrub(becauseOf: .ownErase, now: .zero))
        health.recordScrub(becauseOf: .ownErase, from: .seconds(10), to: .seconds(11))
        #expect(!health.mayScrub(becauseOf: .ownErase, now: .milliseconds(30_999)))
        #expect(health.mayScrub(becauseOf: .ownErase, now: .seconds(31)))
    }

    @Test func `erases of others lead to one scrub an hour, and own ones to one at once`() {
        var health = StoreHealth(isAuditDue: false)
        #expect(health.mayScrub(becauseOf: .othersErase, now: .zero))
        health.recordScrub(becauseOf: .othersErase, from: .seconds(10), to: .seconds(11))
        #expect(!health.mayScrub(becauseOf: .othersErase, now: .seconds(3610)))
        #expect(health.mayScrub(becauseOf: .ownErase, now: .seconds(31)))
        health.recordScrub(becauseOf: .ownErase, from: .seconds(40), to: .seconds(41))
        #expect(health.mayScrub(becauseOf: .othersErase, now: .seconds(3611)))
        // Others can cause 24 scrubs a day, however many batches they erase.
        let count = (3611..<3611 + 86_400).count { second in
            guard health.mayScrub(becauseOf: .othersErase, now: .seconds(second)) else {
                return false
            }
            health.recordScrub(
                becauseOf: .othersErase, from: .seconds(second), to: .seconds(second))
            return true
        }
        #expect(count == 24)
    }

    @Test func `scrubs for others that fail wait ever longer, and the user's own five minutes`() {
        var health = StoreHealth(isAuditDue: false)
        var (now, pauses) = (Duration.zero, [Duration]())
        for _ in 0..<9 {
            health.recordFailedScrub(becauseOf: .othersErase, now: now)
            #expect(health.mayScrub(becauseOf: .ownErase, now: now + .seconds(300)))
            var next = now
            while !health.mayScrub(becauseOf: .othersErase, now: next) { next += .seconds(60) }
            pauses.append(next - now)
            now = next
        }
        #expect(pauses.prefix(3) == [.seconds(300), .seconds(600), .seconds(1200)])
        #expect(pauses.suffix(2) == [.seconds(6 * 3600), .seconds(6 * 3600)])
        health.recordScrub(becauseOf: .ownErase, from: now, to: now)
        health.recordFailedScrub(becauseOf: .othersErase, now: now)
        #expect(health.mayScrub(becauseOf: .othersErase, now: now + .seconds(300)))
    }
}
