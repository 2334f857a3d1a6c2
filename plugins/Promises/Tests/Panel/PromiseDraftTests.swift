import Contract
import Foundation
import PanelKit
import PromisesAPI
import Testing

@testable import PromisesPanel

/// The form of a promise that an event of a calendar fills.
@Suite struct PromiseDraftTests {
    private var seoul: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "Asia/Seoul") ?? .gmt
        return calendar
    }

    @Test func `the form has what the event says, and the same time`() throws {
        let now = Timestamp(milliseconds: 1_795_478_400_000)
        let at = now + .seconds(7200)
        let form = PromiseForm(
            PromiseDraft(
                title: "Picnic", atMs: at, latitude: 37.5, longitude: 127, locationName: "Park"),
            calendar: seoul)
        #expect(form.title == "Picnic" && form.locationName == "Park" && form.people.isEmpty)
        #expect(form.location == Coordinate(latitude: 37.5, longitude: 127))
        #expect(try form.at(now: now, calendar: seoul) == at)
        #expect(form.fault(now: now, calendar: seoul) == "Choose at least one mate.")
    }

    @Test func `what the event does not say is empty`() {
        let form = PromiseForm(PromiseDraft(title: "Picnic"))
        #expect(form.when.isEmpty && form.location == nil && form.original == nil)
    }
}
