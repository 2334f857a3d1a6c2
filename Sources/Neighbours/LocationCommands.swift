internal import PluginKit

extension Neighbours {
    private static let location = Shape.object([
        "source": .text, "state": .text, "reason?": .text, "address?": .text, "file?": .text,
        "speed?": .number, "latitude?": .number, "longitude?": .number, "accuracyMetres?": .number,
        "atMs?": .integer, "ageSeconds?": .integer,
    ])

    static let locationCommands = [
        Command(
            CommandDeclaration(
                "location", "show", .query,
                help: "Shows where this device is, who says so, and how old that is.",
                result: location),
            of: Neighbours.self
        ) { neighbours, _ in await neighbours.showLocation() },
        Command(
            CommandDeclaration(
                "location", "set", .action,
                help: "Says by hand where I am, to my mates too.",
                parameters: [
                    .required("latitude", .number, "Degrees north, -90 to 90."),
                    .required("longitude", .number, "Degrees east, -180 to 180."),
                    .optional("accuracyMetres", .number, "How far off it may be, in metres."),
                ], result: location),
            of: Neighbours.self
        ) { try await $0.setLocation($1) },
        Command(
            CommandDeclaration(
                "location", "clear", .action, help: "Forgets where I am, at my mates too.",
                result: .done),
            of: Neighbours.self
        ) { neighbours, _ in try await neighbours.clearLocation() },
        Command(
            CommandDeclaration(
                "location", "source", .action,
                help: "Chooses who says where this device is. Mates see what is set by hand only.",
                parameters: [
                    .required(
                        "source", .choice(["hand", "gpsd", "gpx"]),
                        "My word, a GPS receiver, or a recorded track that is played.",
                        positional: true),
                    .optional(
                        "address", .text, "Where gpsd listens; localhost:2947 without it."),
                    .optional("file", .path, "The GPX file to play."),
                    .optional("speed", .number, "How many times faster than it was recorded."),
                    .optional(
                        "startMs", .integer,
                        "The time the track's first point is to have, in milliseconds since 1970; "
                            + "without it points keep the times they were recorded at."),
                ], result: location),
            of: Neighbours.self
        ) { try await $0.setLocationSource($1) },
    ]
}
