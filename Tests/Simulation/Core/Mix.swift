internal import TestSupport

/// What a seed draws for its run: how many devices, and what befalls them.
struct Mix {
    /// How a link treats its frames.
    enum Quality: String, CaseIterable {
        /// As TLS over TCP promises: in order, each once, or the link ends. What is lost on the way
        /// costs time.
        case sound
        /// HAVE is kept, since channels are counted by it; PUSH, ACK and VECTOR are lost, repeated
        /// and replayed, as where a node forgets what it was about to say or store. The same link
        /// must recover.
        case forgetful
        /// Any frame is lost, repeated, replayed or overtaken, also by frames of earlier links. No
        /// promise holds but safety; such links end with the faults.
        case broken
    }

    let quality: Quality
    /// How many devices each person has; 3 to 10 in all.
    let deviceCounts: [Int]
    /// Pairs of persons, of a hundred, who are mates from the beginning or become mates.
    let matesShare: Int
    /// Frames lost or repeated, of a hundred.
    let lossShare, repeatShare: Int
    /// How long a frame is under way.
    let delayMilliseconds: ClosedRange<Int>
    /// Edits in the run.
    let editCount: Int
    /// How many times in the run a link is cut, the network parts, a node crashes, gets yesterday's
    /// database back, or has its clock set.
    let cutCount, partitionCount, crashCount, restoreCount, clockJumpCount: Int
    /// Whether clocks are up to ten years off; else a few seconds.
    let isClockWild: Bool
    /// Whether the last person's device lies.
    let hasLiar: Bool
    /// How often faults end and all is compared.
    let roundCount: Int

    /// Draws a mix.
    init(using chance: inout SeededGenerator) {
        quality = Quality.allCases[[0, 0, 1, 1, 2][chance.number(0...4)]]
        hasLiar = chance.chance(40)
        var left = chance.number(3...10)
        var counts: [Int] = []
        while left > 0 {
            counts.append(min(left, chance.chance(35) ? 2 : 1))
            left -= counts.last ?? 1
        }
        if hasLiar { counts[counts.count - 1] = 1 }
        deviceCounts = counts
        matesShare = counts.count > 5 ? 40 : 80
        lossShare = chance.chance(60) ? chance.number(0...30) : 0
        repeatShare = chance.chance(60) ? chance.number(0...20) : 0
        let slowest = [20, 200, 1000, 5000][chance.number(0...3)]
        delayMilliseconds = 1...slowest
        editCount = chance.number(20...60)
        cutCount = chance.chance(70) ? chance.number(1...10) : 0
        partitionCount = chance.chance(60) ? chance.number(1...4) : 0
        crashCount = chance.chance(60) ? chance.number(1...4) : 0
        restoreCount = chance.chance(20) ? 1 : 0
        clockJumpCount = chance.chance(40) ? chance.number(1...4) : 0
        isClockWild = chance.chance(40)
        roundCount = chance.chance(30) ? 2 : 1
    }

    /// In a line.
    var text: String {
        """
        devices=\(deviceCounts) links=\(quality) loss=\(lossShare)% repeats=\(repeatShare)% \
        delay<=\(delayMilliseconds.upperBound)ms edits=\(editCount) cuts=\(cutCount) \
        partitions=\(partitionCount) crashes=\(crashCount) restores=\(restoreCount) \
        jumps=\(clockJumpCount) wild=\(isClockWild) liar=\(hasLiar) rounds=\(roundCount)
        """
    }
}
