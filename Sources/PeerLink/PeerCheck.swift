import Links
import NIOSSL
import Records

/// The devices that a link may be made with.
struct PeerCheck {
    /// This device.
    let own: DeviceID
    /// The only accepted device, or nil if any device is accepted.
    let expected: DeviceID?

    /// Returns the device that a certificate chain belongs to. TLS proves that the peer has the
    /// key.
    ///
    /// This device's own key is accepted here: only HELLO shows whether it is this node or a copy
    /// of it.
    /// - Throws: the first of ``LinkFault/notEd25519`` and
    ///   ``LinkFault/wrongDevice(expected:found:)`` that applies.
    func device(of chain: [NIOSSLCertificate]) throws(LinkFault) -> DeviceID {
        guard let leaf = chain.first, let found = DeviceID(certificate: leaf) else {
            throw .notEd25519
        }
        if let expected, expected != found {
            throw .wrongDevice(expected: expected, found: found)
        }
        return found
    }
}
