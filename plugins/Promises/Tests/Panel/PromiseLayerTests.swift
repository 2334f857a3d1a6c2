import Contract
import PanelKit
import PanelTestSupport
import PromisesAPI
import Testing

@testable import PromisesPanel

/// The open promise on the map.
@MainActor struct PromiseLayerTests {
    private let dinner = PromiseSummary(
        id: key("d"), title: "Dinner", atMs: Timestamp(milliseconds: 10_000_000), phase: .tracking,
        state: .member, maker: key("a"), makerName: "Ann", mine: false, latitude: 37.5,
        longitude: 127, penalty: 500, peopleCount: 3, sharing: .sharing)

    private func person(
        _ change: (inout PromisePerson) -> Void = { _ in }
    ) -> PromisePerson {
        var person = PromisePerson(
            person: key("b"), suffix: KeySuffix(key("b")), name: "Ben", me: false, state: .member)
        change(&person)
        return person
    }

    private func location(ageSeconds: Int) -> PromisePerson.SharedLocation {
        PromisePerson.SharedLocation(
            latitude: 1, longitude: 2, ageSeconds: ageSeconds, isStale: false)
    }

    @Test func `the map shows the goal with its circle, and people on the way with their age`()
        throws
    {
        let ben = person {
            $0.lateness = .open
            $0.remaining = "80 m"
            $0.location = location(ageSeconds: 100)
        }
        let layer = PromiseLayer.make(for: dinner, people: [ben], passed: .seconds(20))
        #expect(layer.markers.map(\.symbol) == [.flag, .person])
        #expect(layer.circles.map(\.radiusMetres) == [30])
        #expect(layer.markers.map(\.detail) == ["", "80 m to go · 2 min ago"])
        #expect(layer.markers.map(\.isStale) == [false, false])
        #expect(layer.markers.map(\.offer?.kind) == [.location, .person])
        let goal = layer.markers[0].coordinate
        #expect(layer.ways == [MapWay(from: layer.markers[1].coordinate, to: goal)])
        let later = PromiseLayer.make(for: dinner, people: [ben], passed: .seconds(21))
        #expect(later.markers.map(\.isStale) == [false, true])
        #expect(later.ways.isEmpty)
    }

    @Test func `the user has a way to the goal and no second marker, and who arrived has no way`() {
        let me = person {
            $0.me = true
            $0.location = location(ageSeconds: 0)
        }
        let arrived = person {
            $0.location = location(ageSeconds: 0)
            $0.arrivedMs = Timestamp(milliseconds: 9_999_999)
        }
        let layer = PromiseLayer.make(for: dinner, people: [me, arrived], passed: .zero)
        #expect(layer.markers.map(\.symbol) == [.flag, .person])
        #expect(layer.ways.count == 1)
    }
}
