import Records
import Testing

@testable import Node

@Suite struct PersonAllowancesTests {
    private func person(_ number: UInt8) -> PersonID {
        PersonID(raw: Digest.entity.hash([number]))
    }

    @Test func `eight changes are stored at once, and then one a second`() {
        var changes = RecordChanges()
        let pauses = (0..<10).map { _ in changes.spend(uptime: .seconds(5)) }
        #expect(pauses == Array(repeating: .zero, count: 8) + [.seconds(1), .seconds(2)])
        // The two that waited are paid for at 7 s.
        #expect(changes.spend(uptime: .seconds(8)) == .zero)
        #expect(changes.spend(uptime: .seconds(8)) == .seconds(1))
    }

    @Test func `a whole allowance does not grow`() {
        var changes = RecordChanges()
        let pauses = (0..<9).map { _ in changes.spend(uptime: .seconds(5000)) }
        #expect(pauses.count { $0 == .zero } == RecordChanges.atOnceMax)
    }

    @Test func `what one device of a person used up is used up for another, and for nobody else`() {
        var allowances = PersonAllowances()
        func pause(of number: UInt8, _ now: Duration) -> Duration {
            allowances.charge(person(number), now: now) {
                $0.spend(checksCount: 1, isChange: true, uptime: now)
            }
        }
        let pauses = (0..<9).map { _ in pause(of: 1, .zero) }
        #expect(pauses.last == .seconds(1))
        #expect(pause(of: 2, .zero) == .zero)
    }

    @Test func `a charge over the limit is refused and changes nothing`() {
        var allowances = PersonAllowances()
        func pause() -> Duration? {
            allowances.charge(person(1), now: .zero) {
                $0.spend(
                    checksCount: 1, isChange: true, uptime: .zero, pauseMax: .seconds(3))
            }
        }
        let pauses = (0..<20).map { _ in pause() }
        #expect(pauses.compactMap(\.self).count == RecordChanges.atOnceMax + 3)
        #expect(pauses.last == .some(nil))
    }

    @Test func `a record that says nothing new costs one check`() {
        var allowances = PersonAllowances()
        let pauses = (0...RecordAllowance.checksPerSecondMax).map { _ in
            allowances.charge(person(1), now: .milliseconds(250)) {
                $0.spend(checksCount: nil, isChange: false, uptime: .milliseconds(250))
            }
        }
        #expect(pauses.dropLast().allSatisfy { $0 == .zero })
        #expect(pauses.last == .milliseconds(750))
    }

    @Test func `people whose allowances were not used for a minute are forgotten`() {
        var allowances = PersonAllowances()
        for number in 0..<100 {
            allowances.charge(person(UInt8(number)), now: .seconds(number)) { _ in }
        }
        #expect(allowances.count == 60)
    }
}
