extension ContentFetching {
    /// The bounds of fetching: how many blobs at a time, how fast, and how patiently.
    public struct Pace: Hashable, Sendable {
        /// The number of blobs that are fetched at a time, each from another device.
        public let blobsAtOnceMax: Int
        /// The number of these that may come from strangers; of content that members share, from
        /// devices of other people.
        public let fromStrangersMax: Int
        /// The number of these that may come from the devices of one such person.
        public let fromPersonMax: Int
        /// The number of these that may be fetched for strangers; of content that members share,
        /// for no reason but that it is on a card.
        public let forStrangersMax: Int
        /// The time without a piece after which another device is asked.
        public let stallMax: Duration
        /// The bytes per second that this side asks for, of all devices together.
        public let bytesPerSecond: Int
        /// The bytes per second, on average since the fetch began, below which another device is
        /// asked; it counts from ``slowTime`` on.
        public let bytesPerSecondMin: Int
        /// The time for which a device may be slow.
        public let slowTime: Duration

        /// The time for which a device may be slow if its link ends. An honest device may change
        /// to a better link within it. A dishonest one gains nothing by such a short delay.
        public static let slowEndTime: Duration = .seconds(2)

        /// For content that members share: a device that sends nothing, or little, holds up no
        /// others, and this person's own devices always have two places.
        public static let members = Pace(
            blobsAtOnceMax: 8, fromStrangersMax: 6, fromPersonMax: 2, forStrangersMax: 4,
            stallMax: ContentFetching.stallMax,
            bytesPerSecond: ContentFetching.bytesPerSecond, bytesPerSecondMin: 16 * 1024,
            slowTime: .seconds(30))
        /// For content of open spaces: a stranger who sends nothing, or little, holds up no others.
        public static let open = Pace(
            blobsAtOnceMax: 8, fromStrangersMax: 6, fromPersonMax: 8, forStrangersMax: 4,
            stallMax: .seconds(5),
            bytesPerSecond: 2 * 1024 * 1024, bytesPerSecondMin: 64 * 1024, slowTime: .seconds(10))
    }

    /// The reason that a link to a device ended.
    public enum LinkEnd: Hashable, Sendable {
        /// This side had no place for it, or does not want it.
        case byThisSide
        /// The peer closed it, or violated the protocol.
        case byPeer
        /// Another link replaced it, or the network lost it. A peer can cause both.
        case lost
    }
}
