internal import PluginKit
internal import WalkLogAPI

/// The limits and times of a recorded walk.
enum WalkLimits {
    /// The longest walk, without its pauses; it ends by itself then.
    static let elapsedMax = Duration.seconds(6 * 60 * 60)
    /// A point nearer than this to the last one is not recorded, in metres.
    static let stepMetresMin = 5.0
    /// A fix with a larger radius is ignored, in metres.
    static let accuracyMetresMax = 50.0
    /// A fix that would need a higher speed is a spike, in metres per second.
    static let metresPerSecondMax = 12.0
    /// A step at a lower speed is a rest, in metres per second.
    static let movingMetresPerSecondMin = 0.5
    /// The most points of a track: one a second for ``elapsedMax``.
    static let pointsCountMax = 21_600
    /// The most bytes of an encoded track: a point takes at most 18.
    static let trackBytesMax = 512 * 1024
    /// The time after which waiting points are written; a point is on the disk one second later.
    static let writeInterval = Duration.seconds(4)
    /// The interval at which the journal says that the walk goes on, even without points.
    static let aliveInterval = Duration.seconds(60)
    /// The most dogs of a walk.
    static let dogsCountMax = 8
    /// The most mates of a walk.
    static let peopleCountMax = 8
    /// The age of the oldest fix that is recorded: an old location says nothing about this walk.
    static let fixAgeMax = Duration.seconds(10)
    /// The time before and after an accepted walk request's time in which a recording is offered.
    static let offeredBefore = Duration.seconds(30 * 60)
    static let offeredAfter = Duration.seconds(3 * 60 * 60)
    /// The most offers of a status.
    static let offersCountMax = 8
    /// The longest way that is shared, in bytes; the whole record has at most 32 KiB.
    static let wayBytesMax = 24 * 1024
    /// The most points of a way that is shared.
    static let wayPointsCountMax = 2000
    /// The distance between a shared way and the recorded one, in metres.
    static let wayToleranceMetres = 2.0
    /// The most points of the line of a picture, which is 400 pixels wide.
    static let picturePointsCountMax = 2000
    /// Points within this distance of the start or the end of a shared way are left out, in metres.
    static let hiddenMetres = 200.0
    /// The most of the user's own shared walks in a list.
    static let sharedCountMax = 200
    /// The most shared walks of one mate in a list.
    static let sharedByOneMateCountMax = 20
    /// The weight of a walker who has not named theirs, in kilograms.
    static let usualKilograms = 70
    /// The longest name of a dog in a record, in bytes of UTF-8.
    static let dogNameBytesMax = DogName.rule.bytesMax
}
