import Crypto
import CryptoExtras
import Foundation
import NIOSSL
import SwiftASN1
import X509

@testable import PeerLink

/// A self-signed certificate that is valid but has no device's key.
enum ForeignCertificate: CaseIterable {
    case p256
    case rsa

    private var key: Certificate.PrivateKey {
        get throws {
            switch self {
            case .p256: Certificate.PrivateKey(P256.Signing.PrivateKey())
            case .rsa: Certificate.PrivateKey(try _RSA.Signing.PrivateKey(keySize: .bits2048))
            }
        }
    }

    private var algorithm: NIOSSL.SignatureAlgorithm {
        self == .p256 ? .ecdsaSecp256R1Sha256 : .rsaPssRsaeSha256
    }

    private static func sign(_ key: Certificate.PrivateKey) throws -> NIOSSLCertificate {
        let name = try DistinguishedName { CommonName("waggle") }
        let signed = try Certificate(
            version: .v3, serialNumber: 1, publicKey: key.publicKey,
            notValidBefore: Date(timeIntervalSince1970: 0),
            notValidAfter: Date(timeIntervalSince1970: 4_000_000_000),
            issuer: name, subject: name, extensions: Certificate.Extensions(),
            issuerPrivateKey: key)
        var serializer = DER.Serializer()
        try serializer.serialize(signed)
        return try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der)
    }

    func certificate() throws -> NIOSSLCertificate {
        try Self.sign(try key)
    }

    /// Returns settings for TLS 1.3 with this certificate and its algorithm.
    func configuration(serves: Bool) throws -> TLSConfiguration {
        let key = try key
        let chain = [NIOSSLCertificateSource.certificate(try Self.sign(key))]
        let pem = Array(try key.serializeAsPEM().pemString.utf8)
        let source = NIOSSLPrivateKeySource.privateKey(
            try NIOSSLPrivateKey(bytes: pem, format: .pem))
        var configuration =
            serves
            ? TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: source)
            : TLSConfiguration.makeClientConfiguration()
        configuration.certificateChain = chain
        configuration.privateKey = source
        configuration.minimumTLSVersion = .tlsv13
        configuration.signingSignatureAlgorithms = [algorithm]
        configuration.verifySignatureAlgorithms = [algorithm, .ed25519]
        return configuration
    }
}
