internal import Records

/// The opaque tags that devices announce: they change hourly, and mates can compute them.
enum TagSchedule {
    /// Returns the number of the hour since 1970; a tag lives for an hour.
    static func hour(wallTime: Timestamp) -> Int64 { wallTime.milliseconds / 3_600_000 }

    /// Returns the eight bytes of a device's tag in an hour.
    static func tag(key: [UInt8], device: DeviceID, hour: Int64) -> [UInt8] {
        var bytes = key
        device.raw.append(to: &bytes)
        bytes.append(bigEndian: UInt64(bitPattern: hour))
        return Array(Digest.tag.hash(bytes).bytes.prefix(8))
    }

    /// Returns the tags that mates' devices may announce now: this hour's and those of the hours
    /// before and after, since clocks differ.
    static func table(
        _ devices: [(key: [UInt8], device: DeviceID)], hour: Int64
    ) -> [[UInt8]: DeviceID] {
        var table: [[UInt8]: DeviceID] = [:]
        for (key, device) in devices {
            for near in hour - 1...hour + 1 {
                table[tag(key: key, device: device, hour: near)] = device
            }
        }
        return table
    }
}
