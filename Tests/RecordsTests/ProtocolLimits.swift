@testable import Identity
import Links
@testable import Node
import PluginKit
import ProximityDrop
import Records
@testable import Replica
@testable import Sync

/// The limits that docs/protocol.md names.
enum ProtocolLimits {
    /// Sentences of the page that contain a number, and whether the code has that number.
    static let all: [(sentence: String, holds: Bool)] = [
        ("It is 1 to 16 384 before", Limits.helloFrameBytesMax == 16_384),
        ("and 1 to 262 144 after", Limits.frameBytesMax == 262_144),
        ("1 to 4096 operations and at most 65 536 bytes", Limits.batchOperationsMax == 4096),
        ("1 to 4096 operations and at most 65 536 bytes", Limits.batchBodyBytesMax == 65_536),
        ("numbered 1, 2, 3 … up to 2⁴⁰ − 1", Limits.batchNumberMax == 1 << 40 - 1),
        ("a varint length of 31 to 32768", Limits.valueBytesMax == 32_768),
        ("a varint count of 31 to 256", Limits.listElementsMax == 256),
        ("Fields are numbered 1 to 4095", Limits.fieldNumberMax == 4095),
        ("varint count (1 to 1024), that many dots", Limits.dotsMax == 1024),
        ("varint count (≤ 1024) ‖ heads", Limits.cutsMax == 1024),
        ("how many batches follow, 1 to 65 536", Limits.runBatchesMax == 65_536),
        ("varint count (≤ 56) ‖ entries", Limits.personDevicesMax == 56),
        ("varint count (≤ 4096) ‖ entries", Limits.linkSpacesMax == 4096),
        ("varint count (≤ 1024) ‖ reaches", Limits.vectorLogsMax == 1024),
        ("varint count (≤ 256) ‖ person records", Limits.identityPersonsMax == 256),
        ("block(16384) body", Limits.messageBytesMax == 16_384),
        ("text(64) topic", Limits.topicBytesMax == 64),
        ("text(128) nickname", Limits.presenceNameBytesMax == 128),
        ("varint count (≤ 14) ‖ fields", Limits.announcedFieldsMax == 14),
        ("text(3) key ‖ block(96) bytes", Limits.announcedKeyLettersMax == 3),
        ("text(3) key ‖ block(96) bytes", Limits.announcedFieldBytesMax == 96),
        ("together at most 377 bytes", Limits.announcedBytesMax == 377),
        ("varint count (≤ 256) ‖ descriptors", Limits.pageSpacesMax == 256),
        ("On one link a side answers 32 such questions", RecoveryOnLink.pagesMax == 32),
        ("now 1 to 7", Hello.spoken == 1...7),
        ("version 4 those of §15", Hello.contentVersion == 4),
        ("version 5 those of §16", Hello.joiningVersion == 5),
        ("version 6 those of §18", Hello.openVersion == 6),
        ("and version 7 those of §20", Hello.seekingVersion == 7),
        ("u8 hops (≤ 7)", Limits.contentHopsMax == 8),
        ("goes over at most 8 links", Limits.contentHopsMax == 8),
        ("varint count (1 to 64) ‖ blobs", Limits.soughtBlobsMax == 64),
        ("not again within 50 s", SeekingLimits.passedOnMemory == .seconds(50)),
        ("it remembers for 60 s who asked", SeekingLimits.askerMemory == .seconds(60)),
        ("for at most 2048 blobs", SeekingLimits.askersMax == 2048),
        ("repeats the question after 60 s", SeekingLimits.repeatPauseMin == .seconds(60)),
        ("double up to 10 minutes", SeekingLimits.repeatPauseMax == .seconds(600)),
        ("gives up 30 minutes after the first one", SeekingLimits.ownTime == .seconds(1800)),
        ("is given up after 45 s", SeekingLimits.passedOnTime == .seconds(45)),
        ("300 s after it was found", SeekingLimits.fetchingMax == .seconds(300)),
        ("sends nothing for 5 s", ContentFetching.Pace.open.stallMax == .seconds(5)),
        (
            "after 10 s less than 64 KiB per second",
            ContentFetching.Pace.open.slowTime == .seconds(10)
                && ContentFetching.Pace.open.bytesPerSecondMin == 64 << 10
        ),
        ("for at least 2 s", ContentFetching.Pace.slowEndTime == .seconds(2)),
        ("after the third time in a row", SeekingLimits.silencesMax == 3),
        ("are ignored for 10 minutes", SeekingLimits.mutedTime == .seconds(600)),
        ("at most 8192 bytes each", Limits.smallContentBytesMax == 8192),
        ("more than 1 048 576 bytes", Limits.smallContentDayBytesMax == 1_048_576),
        ("as 4096 bytes at least", Limits.smallContentCostMin == 4096),
        ("the longest run is 1 to 65 536", Limits.passedBytesMax == 65_536),
        ("collected for 200 ms", OpenLimits.tellingPause == .milliseconds(200)),
        ("After 5 s without such a change", OpenLimits.digestPause == .seconds(5)),
        ("at most once a minute", OpenLimits.scanPauseMin == .seconds(60)),
        ("no answer after 5 s", OpenLimits.answerMax == .seconds(5)),
        ("at most four unanswered questions", OpenLimits.questionsMax == 4),
        ("It is valid for 5 minutes", JoinCode.validFor == .seconds(300)),
        ("its length in bytes (1 to 16 777 216)", Limits.blobBytesMax == 16_777_216),
        ("text(64) media type", Limits.blobKindBytesMax == 64),
        ("block(65536) bytes", Limits.blobPieceBytes == 65_536),
        ("A PIECE has 65 536 bytes", Limits.blobPieceBytes == 65_536),
        ("at most 4 pieces at a time", ContentFetching.windowCount == 4),
        ("after 20 s without a piece", ContentFetching.stallMax == .seconds(20)),
        (
            "after 30 s with less than 16 KiB per second",
            ContentFetching.Pace.members.slowTime == .seconds(30)
                && ContentFetching.Pace.members.bytesPerSecondMin == 16 << 10
        ),
        ("is asked for it again after 60 s", ContentFetching.lackingPause == .seconds(60)),
        ("three times in a row is asked last for 10 minutes", SeekingLimits.silencesMax == 3),
        ("Of own records up to 512 blobs", OwnContentRound.wantedMax == 512),
        (
            "begins again after 60 s, with pauses that double up to 10 minutes",
            OwnContentRound.pauseMin == .seconds(60) && OwnContentRound.pauseMax == .seconds(600)
        ),
        ("text(40)", DeviceEntry.nameBytesMax == 40),
        ("65 bytes: `u8 version = 1", FoundingRecord.encodedBytesCount == 65),
        ("**Header**, 185 bytes", BatchHeader.encodedBytesCount == 185),
        ("the card at most 4096 bytes", DropLimits.cardBytesMax == 4096),
        ("in ascending order, at most 16", DropLimits.cardFieldsMax == 16),
        ("An offer is valid for 3 s", DropTimes.invitation == .seconds(3)),
        ("at least 1024 such batches of one device", Limits.heldBatchesMax == 1024),
        (
            "has more than 16 operations on entities that the replica does not know",
            Limits.heldWaitingOperationsMax == 16
        ),
        ("its stored body plus 160 bytes", Limits.batchRowBytes == 160),
        ("that broke a rule as 24 bytes more", Limits.voidRowBytes == 24),
        ("one that waits for its entity as 48", Limits.waitingRowBytes == 48),
        ("the first 256 grants, accepts and cuts", Limits.controlOperationsMax == 256),
        ("the first 64 cuts of oneself", Limits.ownCutsMax == 64),
        ("at most four ends of a forked log", Limits.forkSidesMax == 4),
        ("1 to 512 bytes, which only the other provider", RangingLimits.tokenBytes == 1...512),
        ("up to 24 h ahead", Limits.stampAheadMax == .seconds(86_400)),
    ]

    /// The rows of the page's table of limits, as their first two columns, and whether the code
    /// has these numbers.
    static let table: [(row: String, holds: Bool)] = links + peers + stored + content + open

    private static let links: [(row: String, holds: Bool)] = [
        (
            "transactions for the acknowledgements of one link | one per quarter of a second",
            PendingAcknowledgements.pause == .milliseconds(250)
        ),
        ("accepts per second and address | 16", limits.acceptsPerSecondMax == 16),
        (
            "accepts per second and IPv6 network of 64 bits | 256",
            limits.acceptsPerSecondPerNetworkMax == 256
        ),
        (
            "strangers: accepted connections whose HELLO was not accepted yet | 64; "
                + "16 of one address; 32 of one IPv6 network of 64 bits",
            limits.strangersMax == 64 && limits.strangersPerAddressMax == 16
                && limits.strangersPerNetworkMax == 32
        ),
        (
            "checks of signatures in an unknown device's HELLO: of the founding record and of the "
                + "entries that list the device | 17 at once; more from 512 checks per second of "
                + "all links",
            Limits.listingChecksMax == 17 && RecordAllowance.checksPerSecondMax == 512
        ),
        (
            "links with people with whom nothing is shared | 8; 4 of one address",
            DialPlan.strangersMax == 8 && DialPlan.strangersPerAddressMax == 4
        ),
        ("links with the devices of one known person | 8", KnownRoom.perPersonMax == 8),
        ("links with known people | 256", KnownRoom.linksMax == 256),
        (
            "reminders of a former mate that the mateship ended | 4 a day and person",
            EndReminders.perIntervalMax == 4 && EndReminders.interval == .seconds(86_400)
        ),
    ]

    private static let content: [(row: String, holds: Bool)] = [
        (
            "WANTs of one link that wait for their answers | 16",
            ContentAllowance.requestsMax == 16
        ),
        (
            "content sent per second and person | 32 MiB, those of 2 s at once; each answer counts "
                + "as 80 KiB",
            ContentAllowance.bytesPerSecond == 32 << 20 && ContentAllowance.burst == .seconds(2)
                && ContentAllowance.answerBytes + Limits.blobPieceBytes == 80 << 10
        ),
        (
            "content that a side asks for per second, of all links | 32 MiB, those of 2 s at once, "
                + "and the rest of the blobs that are begun; 8 blobs at a time, each from another "
                + "device and 4 pieces (256 KiB) of each at a time; 2 of one other person's "
                + "devices, 6 of all of them, 4 of cards; what is on cards does not delay the rest",
            ContentFetching.bytesPerSecond == 32 << 20 && ContentFetching.burst == .seconds(2)
                && ContentFetching.windowCount == 4 && Limits.blobPieceBytes == 64 << 10
                && ContentFetching.Pace.members.blobsAtOnceMax == 8
                && ContentFetching.Pace.members.fromPersonMax == 2
                && ContentFetching.Pace.members.fromStrangersMax == 6
                && ContentFetching.Pace.members.forStrangersMax == 4
        ),
        (
            "photos on one person's card that a side asks for | 5 at once, then 2 per minute; only "
                + "the newest is wanted",
            MemberContent.cardAtOnceMax == 5 && MemberContent.cardInterval == .seconds(30)
        ),
        (
            "blobs of open spaces that a side asks one link for with SEEK, per minute | 600",
            SeekingLimits.askedPerMinute == 600
        ),
        (
            "blobs in SEEKs of one link that a side looks up, per minute | 1200",
            SeekingLimits.lookedUpPerMinute == 1200
        ),
        (
            "blobs that a side looks for elsewhere because one link asked | 30 and 16 MiB per "
                + "minute; 16 at a time, 64 of all links, 48 of all that are not known",
            SeekingLimits.passedOnPerMinute == 30
                && SeekingLimits.passedOnBytesPerMinute == 16 << 20
                && SeekingLimits.passedOnPerLinkMax == 16 && SeekingLimits.passedOnMax == 64
                && SeekingLimits.passedOnForStrangersMax == 48
        ),
        (
            "content of open spaces sent per second and person | 4 MiB, those of 2 s at once; each "
                + "answer counts as 80 KiB",
            ContentAllowance.openBytesPerSecond == 4 << 20
        ),
        (
            "content of open spaces that a side asks for per second, of all links | 2 MiB, those "
                + "of 2 s at once, and the rest of the blobs that are begun; 8 blobs at a time, "
                + "each from another device, 4 of them not reserved and 6 from peers that are not "
                + "known (§20); reserved content has a further 2 MiB",
            ContentFetching.Pace.open.bytesPerSecond == 2 << 20
                && ContentFetching.Pace.open.blobsAtOnceMax == 8
                && ContentFetching.Pace.open.forStrangersMax == 4
                && ContentFetching.Pace.open.fromStrangersMax == 6
        ),
        (
            "content that comes with records, of one person per UTC day | 1 MiB; each counts at "
                + "least 4096 bytes",
            Limits.smallContentDayBytesMax == 1 << 20 && Limits.smallContentCostMin == 4096
        ),
        (
            "content that is here for open spaces only | 256 MiB, or an eighth of what content may "
                + "take; that with records of strangers is fetched up to three quarters of it",
            StorageQuota().openFetchedBytesMax == 256 << 20
                && StorageQuota(fetchedBytesMax: 800).openFetchedBytesMax == 100
        ),
        (
            "content that own records do not name | 2 GiB (this node's setting); each file counts "
                + "as 4096 bytes more",
            Limits.fetchedBytesMax == 2 << 30 && Limits.blobFileBytes == 4096
        ),
        (
            "content of which only a part has arrived | 256 MiB, each counts as 4096 bytes more; "
                + "2048 parts; a day without a piece",
            Limits.arrivingBytesMax == 256 << 20 && Limits.blobFileBytes == 4096
                && Limits.arrivingCountMax == 2048 && Limits.arrivingAge == .seconds(86_400)
        ),
        (
            "what stays free on the disk when content is fetched | 200 MiB (this node's setting)",
            Limits.freeBytesMin == 200 << 20
        ),
    ]

    private static let peers: [(row: String, holds: Bool)] = [
        (
            "queue bytes: frames that wait for the peer's socket | 1 MiB",
            limits.queuedBytesMax == 1 << 20
        ),
        (
            "waiting answers: messages and logs still to be sent | 4096; 8 MiB",
            Outbox.itemsMax == 4096 && Outbox.bytesMax == 8 << 20
        ),
        (
            "waiting PONGs | 1 for each row of PINGs with no other answer between them", true
        ),
        ("unread frames | 8", limits.unreadFramesMax == 8),
        (
            "frames passed in one turn of an event loop | 128, or 256 KiB and one frame",
            LinkLimits.turnFramesMax == 128 && LinkLimits.turnBytesMax == 256 << 10
        ),
        (
            "frames passed after the end of a connection | 512",
            LinkLimits.lastTurnsMax * LinkLimits.turnFramesMax == 512
        ),
        (
            "received messages that wait or are being handled, of all links | 64 MiB as decoded; "
                + "those of one person's links at most as much as is still free",
            InboxRoom.bytesMax == 64 << 20
        ),
        ("a message that cannot be read, an unknown type, a second HELLO | none", true),
        ("channels that a side names | 4096", Limits.linkSpacesMax == 4096),
        ("runs that are refused | 16", ActiveLink.faultsMax == 16),
        (
            "DIRECT, and EPHEMERAL | 20 a second each", MessageAllowance.perSecondMax == 20
        ),
        ("RECOVERY QUESTION: each costs a check of a signature | 1 per link", true),
        ("ASK SPACES | 32 per link", RecoveryOnLink.pagesMax == 32),
        (
            "JOIN QUESTION: one about the code that is shown costs an HMAC, another nothing | "
                + "1 per link", true
        ),
        (
            "wrong proofs about a code that is shown | 3 for all links",
            JoinCode.wrongProofsMax == 3
        ),
        (
            "pairs that peers named, in which the returning person has no batch yet | 64 at a time; "
                + "256 in vain in one run",
            Recovery.unprovenMax == 64 && Recovery.inventedMax == 256
        ),
        (
            "DIAL BACK | 1 at a time, and 1 per 10 s and link; 24 a minute of all links",
            DialBackPace.pauseMin == .seconds(10) && DialBudget.dialBacksPerMinuteMax == 24
        ),
        (
            "transactions that change records of known people, by one person's links | 8 at once, "
                + "then 1 per second",
            RecordChanges.atOnceMax == 8 && RecordChanges.pausePerChange == .seconds(1)
        ),
        (
            "ranges hashed for AUDIT, per second and person | 16 of 4096 batches, or 1024 of one",
            AuditAllowance.longestPerSecondMax == 16 && Limits.auditBatchesMax == 4096
                && AuditAllowance.batchesPerSecondMax / (AuditAllowance.batchesPerRange + 1) == 1024
        ),
        (
            "received messages of one person while a link waits more than 3 s for these | 1 MiB as "
                + "decoded",
            ActiveLink.owedMax == .seconds(3) && ActiveLink.owingBytesMax == 1 << 20
        ),
        (
            "unanswered questions for digests that a side asks | 64",
            SyncSession.questionsMax == 64
        ),
        (
            "different single batches whose hash a side sends in one audit | 4096",
            AuditFindings.differingMax == 4096
        ),
    ]

    private static let stored: [(row: String, holds: Bool)] = [
        (
            "what one person's batches take in one space | 64 MiB",
            Limits.storedAuthorBytesMax == 64 << 20
        ),
        (
            "one person's operations on unknown entities of one space | 16 384",
            Limits.waitingOperationsMax == 16_384
        ),
        (
            "what all batches take in the groups to which one person invited this one, until this "
                + "one accepts | 64 MiB",
            Limits.storedAuthorBytesMax == 64 << 20
        ),
        (
            "what all batches take | 2 GiB (this node's setting)",
            Limits.storedBytesMax == 2 << 30
        ),
        (
            "what stays free on the disk | 200 MiB (this node's setting)",
            Limits.freeBytesMin == 200 << 20
        ),
        (
            "merging a space again because of one person's batches: a unit for each batch and for "
                + "16 operations | 20 000 units at once, then 1000 per second (this node's limits)",
            RebuildWork.operationsPerUnit == 16 && RebuildDebt.unitsMax == 20_000
                && RebuildDebt.unitsPerSecond == 1000
        ),
        (
            "merging several spaces again because of one message, by the bytes of their batches "
                + "| 20 000 units, or one space",
            RebuildDebt.unitsMax == 20_000
        ),
        (
            "person records that a group brings | 1024 people of each group, 64 of one in which "
                + "this person accepted no role; 15 138 bytes each",
            Limits.groupPeopleMax == 1024 && Limits.invitedGroupPeopleMax == 64
                && Limits.personBytesMax == 15_138
        ),
        (
            "person records that wait to be of use | 256 people; as many bytes as one frame holds",
            Limits.identityPersonsMax == 256 && WaitingRecords.bytesMax == Limits.frameBytesMax
        ),
        (
            "checks of signatures in person records, per second and person | 512; each record that "
                + "says something new counts as 8 more, and each other record as 1",
            RecordAllowance.checksPerSecondMax == 512 && RecordAllowance.checksPerRecord == 8
                && RecordAllowance.checksPerRepeat == 1
        ),
    ]

    private static let limits = LinkLimits()
}
