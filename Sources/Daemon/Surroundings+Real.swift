internal import ControlAPI
internal import DesktopBus
internal import Discovery
internal import Foundation
internal import GPSD
package import Identity
package import Logging
package import Node
internal import PeerLink

extension Surroundings {
    /// Returns the real surroundings of a device.
    /// - Throws: if the system's TLS library refuses the key.
    package static func real(
        of key: DeviceKey, _ settings: NodeSettings, _ logger: Logger
    ) throws -> Surroundings {
        let environment = ProcessInfo.processInfo.environment
        let clock = SystemClock()
        return Surroundings(
            transport: TLSTransport(try LinkEndpoint(key: key.privateKey, logger: logger)),
            discovery: settings.usesAvahi
                ? AvahiDiscovery(leavingOut: settings.interfacesLeftOut, logger: logger) : nil,
            clock: clock, random: SystemRandom(),
            receiver: { GPSDSource(host: $0, port: $1) },
            photos: WorkerPhotos(),
            desktop: settings.usesDesktop
                ? BusNoticeServer(
                    application: settings.home.applicationID(environment),
                    entry: Home.application, environment: environment, clock: clock,
                    logger: logger) : nil,
            logger: logger)
    }
}
