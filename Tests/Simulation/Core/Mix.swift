internal import TestSupport

/// The random parameters of a seed's run: the devices and the faults.
struct Mix {
    /// The behaviour of links.
    enum Quality: String, CaseIterable {
        /// Like TLS over TCP: frames arrive in order and once, or the link ends. Lost packets cost
        /// time.
        case sound
        /// HAVE arrives, because it numbers the channels. PUSH, ACK and VECTOR are lost, repeated
        /// and replayed, as if a node forgot to send or store something. The same link must
        /// recover.
        case forgetful
        /// Any frame is lost, repeated, replayed or overtaken, also by frames of earlier links.
        /// Only the safety promises hold. Such links end with the faults.
        case broken
    }

    let quality: Quality
    /// The number of devices of each person; 3 to 10 in total.
    let deviceCounts: [Int]
    /// The percentage of pairs of people who are mates or become mates.
    let matesShare: Int
    /// The percentage of frames that are lost or repeated.
    let lossShare, repeatShare: Int
    /// The delay of a frame.
    let delayMilliseconds: ClosedRange<Int>
    /// The number of edits in the run.
    let editCount: Int
    /// The numbers of cut links, network partitions, crashes, restored databases and clock changes
    /// in the run.
    let cutCount, partitionCount, crashCount, restoreCount, clockJumpCount: Int
    /// The number of groups, and of grants, removals and departures.
    let groupCount, governCount: Int
    /// The number of times that a person erases their records in a space.
    let eraseCount: Int
    /// Whether the liar signs several batches with one number.
    let isTwoFaced: Bool
    /// Whether clocks are up to ten years off, instead of a few seconds.
    let isClockWild: Bool
    /// Whether the last person's device is a liar.
    let hasLiar: Bool
    /// The liar's acts that cost others more than itself.
    let floods: [Flood]
    /// The liar's acts that use up the room of others.
    let hoards: [Hoard]
    /// The bytes that one person may take in one space while there are faults; nil for the usual
    /// limit.
    let authorBytesMax: Int?
    /// The number of times that a device puts content and names it in a record.
    let photoCount: Int
    /// The people, by index, whom a further device joins in the middle of the run.
    let joiningPeople: [Int]
    /// The number of devices that their people remove.
    let removalCount: Int
    /// The number of rounds, each with faults, their end and a comparison.
    let roundCount: Int

    /// Draws a mix. Parameters that were added later are drawn separately, so that a seed that
    /// draws none of them still gives the same run.
    ///
    /// In 60 % of the runs in which a liar fills its room, it does nothing else, because other
    /// faults usually keep its log from being read again after an erase. 35 was chosen so that the
    /// seeds in `seeds.txt` still draw the same runs.
    init(seed: UInt64, using chance: inout SeededGenerator) {
        var added = SeededGenerator(seed: seed << 31)
        groupCount = added.chance(35) ? added.number(1...2) : 0
        governCount = groupCount * added.number(2...8)
        let hasTwoFaces = added.chance(40)
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
        let isWild = chance.chance(40)
        roundCount = chance.chance(30) ? 2 : 1
        var flooding = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 3)
        let isFlooded = flooding.chance(40) && hasLiar
        let drawn = Flood.allCases.filter { _ in flooding.chance(50) }
        var hoarding = SeededGenerator(seed: seed &* 0xD134_2543_DE82_EF95 &+ 11_444)
        let isHoarded = hoarding.chance(35) && hasLiar
        let kinds = Hoard.allCases.filter { _ in hoarding.chance(60) }
        var plain = SeededGenerator(seed: seed &* 0xD134_2543_DE82_EF95 &+ 35)
        let isPlain = isHoarded && kinds.contains(.filling) && plain.chance(60)
        hoards = isPlain ? [.filling] : isHoarded ? kinds : []
        floods = isFlooded && !isPlain ? drawn : []
        isTwoFaced = hasTwoFaces && !isPlain
        isClockWild = isWild && !isPlain
        let kibibytes = [48, 96, 192][hoarding.number(0...2)]
        authorBytesMax = hoards.contains(.filling) ? kibibytes * 1024 : nil
        var posting = SeededGenerator(seed: seed &* 0xA076_1D64_78BD_642F &+ 5)
        let hasPhotos = posting.chance(20)
        let number = posting.number(3...8)
        photoCount = hasPhotos ? number : 0
        var joining = SeededGenerator(seed: seed &* 0xE703_7ED1_A0B4_28DB &+ 23)
        let mayChange = joining.chance(35) && restoreCount == 0 && !isFlooded && !isHoarded
        let honest = counts.count - (hasLiar ? 1 : 0)
        let joiningIndexes = (0..<joining.number(0...2)).map { _ in joining.number(0...honest - 1) }
        joiningPeople = mayChange ? joiningIndexes : []
        let removals = joining.number(0...2)
        removalCount = mayChange ? removals : 0
    }

    /// Whether a liar delays its own log: what is refused of it is sent again at growing intervals.
    var hasRefusedLogs: Bool { !floods.isEmpty || !hoards.isEmpty }

    /// Whether devices join their people in the middle of the run, or are removed.
    var changesDevices: Bool { !joiningPeople.isEmpty || removalCount > 0 }

    /// Whether a removal may be dated so far ahead that it is held. Until it is due, other nodes
    /// refuse new batches of the removed device, at growing intervals.
    var hasHeldCuts: Bool { isClockWild && changesDevices }

    /// Whether grants may be dated so far ahead that they are held. Until they are due, other nodes
    /// refuse the batches they permit, at growing intervals, so that these arrive late.
    var hasHeldGrants: Bool { isClockWild && groupCount > 0 }

    /// Whether replicas may hold different batches until those dated ahead are due: of one device
    /// only so many are held, and a record that operations wait for or a cut may be dated ahead.
    var mayDifferUntilDue: Bool {
        floods.contains(.ahead) || hoards.contains(.waiting) && isClockWild || hasHeldCuts
    }

    /// The parameters in one line.
    var text: String {
        """
        devices=\(deviceCounts) links=\(quality) loss=\(lossShare)% repeats=\(repeatShare)% \
        delay<=\(delayMilliseconds.upperBound)ms edits=\(editCount) cuts=\(cutCount) \
        partitions=\(partitionCount) crashes=\(crashCount) restores=\(restoreCount) \
        jumps=\(clockJumpCount) wild=\(isClockWild) liar=\(hasLiar) rounds=\(roundCount) \
        groups=\(groupCount)/\(governCount) two-faced=\(isTwoFaced) erasures=\(eraseCount) \
        floods=\(floods.map(\.rawValue)) hoards=\(hoards.map(\.rawValue)) \
        room=\(authorBytesMax ?? 0) photos=\(photoCount) joining=\(joiningPeople) \
        removals=\(removalCount)
        """
    }
}
