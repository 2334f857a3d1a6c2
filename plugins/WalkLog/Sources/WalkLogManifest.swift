public import PluginKit
internal import WalkLogAPI

extension WalkLog {
    /// The declarations of the plugin, which are also its permissions.
    public static let manifest = Manifest(
        id: "walklog", version: 1, collections: [walk, walker, sharedWalk],
        views: [
            Manifest.View(
                walksView,
                """
                SELECT entity AS walk, started_ms, elapsed_ms, distance_m FROM walklog_walk
                WHERE started_ms IS NOT NULL
                """)
        ],
        events: [WalkLogEvents.changed.declaration],
        notices: [
            .init(
                inboxKind,
                help: "Recordings that were interrupted or ended after 6 hours, and "
                    + "walks that mates show you.")
        ],
        services: [.mates, .inbox, .location, .journal, .files],
        shares: [.walks: walksView])

    /// The walks as other plugins read them.
    private static let walksView = "walklog_recorded"

    /// The kind of the inbox items and notices.
    static let inboxKind: InboxKind = "walklog"

    /// A finished walk: its summary and its track. Its device writes it once.
    static let walk = RecordCollection(
        "walk-log.walk/1", table: "walklog_walk", spaces: [.own],
        indexes: [["started_ms", "entity"], ["recording"]], isErasable: true,
        fields: [
            .init(1, "recording", .bytes(countMax: 16), merge: .append),
            .init(2, "started_ms", .integer(0...Timestamp.millisecondsMax), merge: .append),
            .init(3, "ended_ms", .integer(0...Timestamp.millisecondsMax), merge: .append),
            .init(
                4, "elapsed_ms", .integer(0...WalkLimits.elapsedMax.milliseconds), merge: .append),
            .init(5, "moving_ms", .integer(0...WalkLimits.elapsedMax.milliseconds), merge: .append),
            .init(6, "distance_m", .real, merge: .append),
            .init(7, "kilocalories", .integer(0...kilocaloriesMax), merge: .append),
            .init(8, "points", .integer(0...Int64(WalkLimits.pointsCountMax)), merge: .append),
            .init(9, "spikes", .integer(0...spikesCountMax), merge: .append),
            .init(
                10, "track",
                .blob(kinds: [EncodedTrack.kind], bytesMax: WalkLimits.trackBytesMax),
                merge: .append),
            .init(
                11, "dogs",
                .texts(
                    countMax: WalkLimits.dogsCountMax, bytesMax: WalkLimits.dogNameBytesMax),
                merge: .append),
            .init(
                12, "people",
                .texts(countMax: WalkLimits.peopleCountMax, bytesMax: personDigitsCount),
                merge: .append),
            .init(13, "request", .bytes(countMax: 16), merge: .append),
        ])

    /// A walk that its walker shows to a mate: the summary and a simplified way, at most 32 KiB. It
    /// is erased to take it back.
    static let sharedWalk = RecordCollection(
        "walk-log.shared/1", table: "walklog_shared", spaces: [.pair],
        indexes: [["started_ms", "entity"]], isErasable: true,
        fields: [
            .init(1, "walk", .bytes(countMax: 16), merge: .append),
            .init(2, "started_ms", .integer(0...Timestamp.millisecondsMax), merge: .append),
            .init(
                3, "elapsed_ms", .integer(0...WalkLimits.elapsedMax.milliseconds), merge: .append),
            .init(4, "distance_m", .real, merge: .append),
            .init(5, "kilocalories", .integer(0...kilocaloriesMax), merge: .append),
            .init(6, "way", .bytes(countMax: WalkLimits.wayBytesMax), merge: .append),
            .init(7, "points", .integer(0...Int64(WalkLimits.pointsCountMax)), merge: .append),
            .init(8, "request", .bytes(countMax: 16), merge: .append),
        ])

    /// The person who walks: one record.
    static let walker = RecordCollection(
        "walk-log.walker/1", table: "walklog_walker", spaces: [.own], isOnePerPerson: true,
        fields: [.init(1, "kilograms", .integer(20...300), writer: .owner)])

    /// More than the fastest and heaviest walker can use in six hours.
    private static let kilocaloriesMax: Int64 = 20_000
    private static let spikesCountMax: Int64 = 10_000_000
    /// The length of a person's key in a list, in hexadecimal digits.
    private static let personDigitsCount = 64
}
