import Records
import Testing

@testable import Node

@Suite struct DialBudgetTests {
    @Test func `few dials in a minute are made because peers ask, and they count as strangers'`() {
        var budget = DialBudget()
        let device = DeviceIDs.one
        let permitted = (0..<40).count { _ in
            budget.permitDialBack(to: device, now: .seconds(119))
        }
        #expect(permitted == DialBudget.dialBacksPerMinuteMax)
        let others = (0..<500).count { _ in
            budget.permitDial(for: nil, isProven: false, now: .seconds(119))
        }
        #expect(others == DialBudget.unprovenPerMinuteMax - permitted)
        // No dial is left for a peer, though few asked in this minute.
        var used = DialBudget()
        for _ in 0..<500 { _ = used.permitDial(for: nil, isProven: false, now: .zero) }
        let isPermitted = used.permitDialBack(to: device, now: .zero)
        let isPermittedLater = used.permitDialBack(to: device, now: .seconds(60))
        #expect(!isPermitted && isPermittedLater)
    }
}
