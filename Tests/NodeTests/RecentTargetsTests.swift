import PluginKit
import Records
import Testing

@testable import Node

/// The dial target of each person's last link.
struct RecentTargetsTests {
    private func person(_ number: UInt8) -> PersonID {
        PersonID(raw: Digest.person.hash([number]))
    }

    @Test func `a person's last target counts, and a target is that of its last person`() {
        var recent = RecentTargets()
        recent.record(person(1), at: "a")
        recent.record(person(2), at: "b")
        recent.record(person(1), at: "c")
        recent.record(person(3), at: "b")
        #expect(recent.all.map(\.key) == ["c", "b"])
        #expect(recent.all.map(\.person) == [person(1), person(3)])
    }

    @Test func `beyond the limit the person who was linked longest ago is forgotten`() {
        var recent = RecentTargets()
        for number in 0..<UInt8(RecentTargets.countMax) {
            recent.record(person(number), at: "\(number)")
        }
        #expect(recent.all.first?.key == "0" && recent.all.count == RecentTargets.countMax)
        recent.record(person(200), at: "200")
        #expect(recent.all.first?.key == "1" && recent.all.count == RecentTargets.countMax)
    }
}
