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
    /// Groups, and how often somebody grants, removes or leaves in one.
    let groupCount, governCount: Int
    /// How often somebody erases what they wrote in a space.
    let eraseCount: Int
    /// Whether the liar signs other batches under numbers it has used.
    let isTwoFaced: Bool
    /// Whether clocks are up to ten years off; else a few seconds.
    let isClockWild: Bool
    /// Whether the last person's device lies.
    let hasLiar: Bool
    /// How often faults end and all is compared.
    let roundCount: Int

    /// Draws a mix. What was added since the first seeds ran is drawn apart, so that a seed which
    /// draws none of it is still the run that it was.
    init(seed: UInt64, using chance: inout SeededGenerator) {
        var added = SeededGenerator(seed: seed << 31)
        groupCount = added.chance(35) ? added.number(1...2) : 0
        governCount = groupCount * added.number(2...8)
        isTwoFaced = added.chance(40)
        eraseCount = added.chance(25) ? added.number(1...5) : 0
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

    /// Whether grants may be dated so far ahead that they are held. Until they are due others
    /// refuse what they permit, again and again at growing intervals, so it comes late even then.
    var hasHeldGrants: Bool { isClockWild && groupCount > 0 }

    /// In a line.
    var text: String {
        """
        devices=\(deviceCounts) links=\(quality) loss=\(lossShare)% repeats=\(repeatShare)% \
        delay<=\(delayMilliseconds.upperBound)ms edits=\(editCount) cuts=\(cutCount) \
        partitions=\(partitionCount) crashes=\(crashCount) restores=\(restoreCount) \
        jumps=\(clockJumpCount) wild=\(isClockWild) liar=\(hasLiar) rounds=\(roundCount) \
        groups=\(groupCount)/\(governCount) two-faced=\(isTwoFaced) erasures=\(eraseCount)
        """
    }
}
