public import Records

/// The degree to which a person's record claims a device. A claim outlives the device's removal,
/// because the batches that the device wrote remain.
public enum DeviceClaim: Sendable {
    /// The record lists the device.
    case present
    /// It is the first device, or the recovery key, the first device or a listed device added it,
    /// and a removal overruled that.
    case former
    /// Only devices that the record does not list added it. Anyone who stole one of them can do so.
    case doubtful
}

extension PersonRecord {
    /// The devices that agreed at any time to belong to this person, as far as the entries say.
    ///
    /// For example, the first device adds a phone, the phone adds a watch, and then the first
    /// device removes the phone. The first device's claim is present, the phone's is former, and
    /// the watch's is doubtful.
    public var claims: [DeviceID: DeviceClaim] {
        var claims = [founding.firstDevice: DeviceClaim.former]
        for entry in entries where entry.kind == .add {
            let isStrong =
                switch entry.signer {
                case .recovery, .device(founding.firstDevice): true
                case .device(let signer): devices.contains(signer)
                }
            if isStrong {
                claims[entry.device] = .former
            } else if claims[entry.device] == nil {
                claims[entry.device] = .doubtful
            }
        }
        for device in devices { claims[device] = .present }
        return claims
    }
}
