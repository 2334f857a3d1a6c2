import Sync

extension ProtocolLimits {
    /// The rows about open spaces.
    static let open: [(row: String, holds: Bool)] = [
        (
            "ASKs of one link about one open space that wait for their answers | 4",
            OpenLimits.questionsMax == 4
        ),
        (
            "answers to one link about one open space | 32 per second, 128 at once; 256 KiB per "
                + "second, 4 MiB at once",
            OpenLimits.answersPerMinute == 32 * 60
                && OpenLimits.answerBytesPerMinute == 60 * 256 << 10
        ),
        (
            "pieces of one open space that a side asks one link for, per minute | 600; 4 MiB",
            OpenLimits.piecesPerMinute == 600 && OpenLimits.pieceBytesPerMinute == 4 << 20
        ),
        (
            "pieces of one open space that a side asks for at a time, of all links | 32",
            OpenLimits.piecesAtOnceMax == 32
        ),
        (
            "logs that a side reads from one link's offers of one open space, per minute | 16 384; "
                + "each OFFER counts as 16 at least",
            OpenLimits.offeredLogsReadPerMinute == 16_384 && OpenLimits.offerMessageLogs == 16
        ),
        (
            "logs of one open space that a side remembers of one link's offers, if it lacks them "
                + "| 2048",
            OpenLimits.missingLogsMax == 2048
        ),
        ("logs on all pages of one offer | 65 536", OpenLimits.scannedLogsMax == 65_536),
        (
            "devices whose last offers of one open space are remembered after their links end "
                + "| 1024",
            OpenLimits.partedDevicesMax == 1024
        ),
    ]
}
