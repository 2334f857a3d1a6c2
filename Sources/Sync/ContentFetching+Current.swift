internal import Records

extension ContentFetching {
    /// A fetch that is under way.
    struct Current {
        let choice: Choice
        var isReserved: Bool
        var isKnown: Bool
        /// The person whose device is asked, if they are known.
        let person: PersonID?
        /// The bytes that had arrived when it began.
        var startBytes = 0
        var arrivedBytes = 0
        /// The first byte that was not asked for.
        var askedBytes = 0
        var isFinishing = false
        var began: Duration
        var lastProgress: Duration

        /// Whether pieces were asked for.
        var isAsked: Bool { askedBytes > startBytes }

        /// Whether another device is to be asked.
        func isGivenUp(_ pace: Pace, now: Duration) -> Bool {
            guard !isFinishing else { return false }
            return now - lastProgress >= pace.stallMax
                || now - began >= pace.slowTime && isSlow(pace, now: now)
        }

        /// Whether the device counts as silent if its link ends.
        func isSilent(atEnd end: LinkEnd, _ pace: Pace, now: Duration) -> Bool {
            guard isAsked, !isFinishing, end != .byThisSide else { return false }
            return end == .byPeer && arrivedBytes == startBytes
                || now - began >= Pace.slowEndTime && isSlow(pace, now: now)
        }

        private func isSlow(_ pace: Pace, now: Duration) -> Bool {
            let arrived = Duration.seconds(1) * (arrivedBytes - startBytes)
            return arrived < (now - began) * pace.bytesPerSecondMin
        }
    }
}

extension ContentFetching.Effect {
    /// Whether all bytes have arrived.
    public var isFinish: Bool { if case .finish = self { true } else { false } }
}
