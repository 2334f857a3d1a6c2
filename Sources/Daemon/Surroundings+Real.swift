internal import Discovery
internal import GPSD
package import Identity
package import Logging
package import Node
internal import PeerLink

extension Surroundings {
    /// The real ones of a device.
    /// - Throws: where the system's TLS library refuses the key.
    package static func real(
        of key: DeviceKey, _ settings: NodeSettings, _ logger: Logger
    ) throws -> Surroundings {
        Surroundings(
            transport: TLSTransport(try LinkEndpoint(key: key.privateKey, logger: logger)),
            discovery: settings.usesAvahi
                ? AvahiDiscovery(leavingOut: settings.interfacesLeftOut, logger: logger) : nil,
            clock: SystemClock(), random: SystemRandom(),
            receiver: { GPSDSource(host: $0, port: $1) }, logger: logger)
    }}
