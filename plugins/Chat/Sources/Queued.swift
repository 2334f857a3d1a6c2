internal import PluginKit

/// Counting the messages that have not left this device.
extension Chat {
    /// The keys under which this device writes or wrote, as a JSON list of hexadecimal digits.
    var ownKeys: String {
        let keys = context.formerDevices.union([context.device]).map { "\"\($0)\"" }
        return "[\(keys.joined(separator: ","))]"
    }

    /// Returns the number of my messages in a room that no other device has, at most
    /// ``ChatLimits/unreadCountMax``. Only those are looked up, in the index by log and number.
    func queuedCount(in room: Room, _ receipts: Receipts) async throws -> Int {
        // While a receiver is linked, messages are on their way.
        guard !receipts.isLinked else { return 0 }
        let carried = receipts.carriedNumbers.map { "[\($0.key),\($0.value)]" }
        let rows = try await context.replica.rows(
            Self.queuedSQL,
            [
                .integer(room.space), .bytes(context.me.bytes),
                .text("[\(carried.joined(separator: ","))]"), .text(ownKeys),
            ])
        return rows.count
    }

    /// The messages of this device beyond the last one of each log that another device holds.
    /// `?3` is a JSON list of log and number, `?4` one of this device's keys.
    private static let queuedSQL = """
        SELECT m.number AS number FROM waggle_log l
        CROSS JOIN chat_shown m ON m.space = l.space AND m.log = l.log
            AND m.number > coalesce(
                (SELECT w.value ->> 1 FROM json_each(?3) w WHERE w.value ->> 0 = l.log), 0)
        WHERE l.space = ?1 AND l.person = ?2
            AND lower(hex(l.device)) IN (SELECT value FROM json_each(?4))
        LIMIT \(ChatLimits.unreadCountMax)
        """
}
