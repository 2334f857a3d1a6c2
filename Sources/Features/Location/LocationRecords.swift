internal import FeaturesAPI
internal import PluginKit

extension LocationSharing {
    static let manifest = Manifest(
        id: CoreFeatures.id, version: 1, collections: [location], ephemeralTopics: [topic],
        events: [LocationEvents.changed.declaration], services: [.location])

    /// The topic on which mates are shown my location.
    static let topic = "location"

    /// My location, as I set it by hand on one of my devices. There is one for all of them: the
    /// device that set or cleared it last decides. A record without a latitude was cleared.
    static let location = RecordCollection(
        "neighbours.place/1", table: "neighbours_place", spaces: [.own], isOnePerPerson: true,
        fields: [
            .init(1, "latitude", .real, writer: .owner),
            .init(2, "longitude", .real, writer: .owner),
            .init(3, "accuracy_metres", .real, writer: .owner),
            .init(4, "at_ms", .integer(RecordTimes.milliseconds), writer: .owner),
            .init(5, "device", .key, writer: .owner),
        ])
}
