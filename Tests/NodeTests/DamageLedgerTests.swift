import Records
import Replica
import Testing

@testable import Node

/// The damage that checks of the stored batches found.
struct DamageLedgerTests {
    private let space = SpaceDescriptor.own(PersonID(raw: Digest.header.hash([1]))).id
    private let found = [DamagedRange(log: LogName(device: DeviceIDs.one), numbers: 3...4)]

    @Test func `a check that began before another one cannot clear what that one found`() {
        var ledger = DamageLedger()
        let first = ledger.beginCheck()
        let second = ledger.beginCheck()
        ledger.finishCheck(second, found: found, in: space)
        ledger.finishCheck(first, found: [], in: space)
        #expect(ledger.damaged[space] == found)
    }

    @Test func `a check that began after another one replaces what that one found`() {
        var ledger = DamageLedger()
        let first = ledger.beginCheck()
        let second = ledger.beginCheck()
        ledger.finishCheck(first, found: found, in: space)
        #expect(ledger.damaged[space] == found)
        ledger.finishCheck(second, found: [], in: space)
        #expect(ledger.damaged[space] == nil)
    }

    @Test func `checks of different spaces are independent`() {
        var ledger = DamageLedger()
        let other = SpaceDescriptor.card(PersonID(raw: Digest.header.hash([1]))).id
        let first = ledger.beginCheck()
        let second = ledger.beginCheck()
        ledger.finishCheck(second, found: found, in: space)
        ledger.finishCheck(first, found: found, in: other)
        #expect(ledger.damaged[other] == found)
    }
}
