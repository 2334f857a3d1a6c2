import Links
import NIOSSL
import Records

/// Whom a link may be made with.
struct PeerCheck {
    /// This device.
    let own: DeviceID
    /// The only device wanted, or nil where any device may come.
    let expected: DeviceID?

    /// The device a certificate chain belongs to. That the peer holds the key, TLS proves.
    ///
    /// One's own key is let through: only HELLO tells whether it is this node or a copy of it.
    /// - Throws: the first that holds of ``LinkFault/notEd25519`` and
    ///   ``LinkFault/wrongDevice(expected:found:)``.
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
