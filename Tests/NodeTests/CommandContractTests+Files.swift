import FeaturesAPI
import Foundation
import NodeAPI
import NodeTestSupport
import PluginKit
import PromisesAPI
import TestSupport

@testable import Node

extension CommandContractTests {
    /// Performs the commands that write and read files of other programs.
    func files(_ ana: Caller, _ bob: Caller) async throws {
        let folder = try TestDirectory.make("files")
        func path(_ name: String) throws -> FilePath { try FilePath(folder + "/" + name) }
        let now = try await ana.call(NodeCommands.status).nowMs
        let mate = try await bob.person
        let walk = try await ana.call(
            WalkCommands.ask,
            .init(
                to: NameOrKey(mate), latitude: Latitude(37.5), longitude: Longitude(127),
                message: Text("Later?"), atMs: now + .seconds(7200)))
        try await ana.call(
            WalkCommands.export, .init(id: RecordPrefix(walk.id), ics: path("walk.ics")))
        try await ana.call(CalendarCommands.save, .init(file: path("all.ics")))
        let contact = try path("mate.vcf")
        try await ana.call(
            MateCommands.export, .init(person: NameOrKey(mate), vcard: contact))
        try await bob.call(ProfileCommands.import, .init(file: contact))
        let event = CalendarEvent(
            uid: "1", title: "Picnic", start: now + .seconds(7200), locationName: "Park",
            point: try Point(latitude: 37.5, longitude: 127), changed: now)
        let picnic = try path("picnic.ics")
        try CalendarFile(events: [event]).text.write(
            toFile: picnic.string, atomically: false, encoding: .utf8)
        try await ana.call(PromiseCommands.draft, .init(file: picnic))
        try await ana.call(PromiseCommands.export, .init(geojson: path("places.geojson")))
    }
}
