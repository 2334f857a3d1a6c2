import Records
import Testing

@testable import Node

/// The reminders of former mates, each of which costs a write.
struct EndRemindersTests {
    private func person(_ number: UInt8) -> PersonID {
        PersonID(raw: Digest.header.hash([number]))
    }

    @Test func `a person is reminded four times a day, whoever else is`() {
        var reminders = EndReminders()
        let day = EndReminders.interval
        let reminded = (0..<5).map {
            reminders.permitReminder(of: person(1), now: .seconds($0))
        }
        #expect(reminded == [true, true, true, true, false])
        let later = [(person(2), .seconds(5)), (person(1), day), (person(1), day + .seconds(0.5))]
            .map { reminders.permitReminder(of: $0, now: $1) }
        #expect(later == [true, true, false])
    }
}
