import Crypto
import Foundation
import NIOCore
import NIOSSL
import Records
import SwiftASN1
import X509

/// The self-signed X.509 certificate that contains a device's Ed25519 key for TLS.
///
/// Only its key has a meaning: TLS proves that the peer has the private key. Name and dates are the
/// same in every certificate and are never checked, so that a wrong clock does not exclude a
/// device.
struct DeviceCertificate {
    /// The certificate in TLS's form.
    let certificate: NIOSSLCertificate
    /// The private key of the certificate.
    let privateKey: NIOSSLPrivateKey

    /// Creates the certificate of a key; the same key always gives the same bytes.
    init(key: Curve25519.Signing.PrivateKey) throws {
        let signer = Certificate.PrivateKey(key)
        let name = try DistinguishedName { CommonName("waggle") }
        let signed = try Certificate(
            version: .v3,
            serialNumber: 1,
            publicKey: signer.publicKey,
            notValidBefore: Self.firstInstant,
            notValidAfter: Self.lastInstant,
            issuer: name,
            subject: name,
            signatureAlgorithm: .ed25519,
            extensions: Certificate.Extensions(),
            issuerPrivateKey: signer)
        var serializer = DER.Serializer()
        try serializer.serialize(signed)
        certificate = try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der)
        privateKey = try NIOSSLPrivateKey(
            bytes: Array(signer.serializeAsPEM().pemString.utf8), format: .pem)
    }

    /// 1970-01-01 00:00:00 UTC.
    private static let firstInstant = Date(timeIntervalSince1970: 0)
    /// 9999-12-31 23:59:59 UTC, the value of RFC 5280 §4.1.2.5 for "no end".
    private static let lastInstant = Date(timeIntervalSince1970: 253_402_300_799)
}

extension DeviceID {
    /// The DER bytes before the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410 §4).
    private static let keyInfoPrefix: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    /// Creates the id of the device whose key a certificate contains; nil if it is not an Ed25519
    /// key.
    init?(certificate: NIOSSLCertificate) {
        guard let keyInfo = try? certificate.extractPublicKey().toSPKIBytes(),
            keyInfo.starts(with: Self.keyInfoPrefix)
        else { return nil }
        self.init(bytes: keyInfo.dropFirst(Self.keyInfoPrefix.count))
    }
}

extension TLSConfiguration {
    /// TLS 1.3 only, with this device's certificate and a required certificate of the peer.
    ///
    /// Verification must not be `.none`, because then the verification callback is never called.
    /// BoringSSL omits Ed25519 from both lists of algorithms unless it is given explicitly.
    static func link(_ own: DeviceCertificate, goodbye: Duration, serves: Bool) -> TLSConfiguration
    {
        var configuration =
            serves
            ? TLSConfiguration.makeServerConfiguration(
                certificateChain: [.certificate(own.certificate)],
                privateKey: .privateKey(own.privateKey))
            : TLSConfiguration.makeClientConfiguration()
        configuration.certificateChain = [.certificate(own.certificate)]
        configuration.privateKey = .privateKey(own.privateKey)
        configuration.minimumTLSVersion = .tlsv13
        configuration.maximumTLSVersion = .tlsv13
        configuration.signingSignatureAlgorithms = [.ed25519]
        configuration.verifySignatureAlgorithms = [.ed25519]
        configuration.certificateVerification = .noHostnameVerification
        configuration.trustRoots = .certificates([])
        configuration.shutdownTimeout = TimeAmount(goodbye)
        return configuration
    }
}
