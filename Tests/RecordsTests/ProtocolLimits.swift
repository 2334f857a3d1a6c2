@testable import Identity
import ProximityDrop
import Records
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
        ("now 1 and 2", Hello.spoken == 1...2),
        ("text(40)", DeviceEntry.nameBytesMax == 40),
        ("65 bytes: `u8 version = 1", FoundingRecord.encodedBytesCount == 65),
        ("**Header**, 185 bytes", BatchHeader.encodedBytesCount == 185),
        ("the card at most 4096 bytes", DropLimits.cardBytesMax == 4096),
        ("in ascending order, at most 16", DropLimits.cardFieldsMax == 16),
        ("An offer is valid for 3 s", DropTimes.invitation == .seconds(3)),
        ("channels that a side names | 4096", Limits.linkSpacesMax == 4096),
        ("that wait to be of use | 256 people", Limits.identityPersonsMax == 256),
        ("at least 1024 such batches of one device", Limits.heldBatchesMax == 1024),
        ("the first 256 grants, accepts and cuts", Limits.controlOperationsMax == 256),
        ("the first 64 cuts of oneself", Limits.ownCutsMax == 64),
        ("at most four ends of a forked log", Limits.forkSidesMax == 4),
        ("up to 24 h ahead", Limits.stampAheadMax == .seconds(86_400)),
    ]
}
