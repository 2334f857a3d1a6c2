internal import PluginKit
package import Records
internal import Sync

// Messages that are never stored.
extension Node {
    /// Sends a message to every linked member of a space, or only to the given people. If no one is
    /// linked, that is not an error: the message would be worthless later.
    package func sendEphemeral(
        _ topic: String, _ body: [UInt8], to space: SpaceDescriptor, only people: Set<PersonID>?,
        expiry: Duration
    ) throws {
        guard body.count <= Limits.messageBytesMax else {
            throw CommandFault.usage("a message holds at most \(Limits.messageBytesMax) bytes")
        }
        for device in links.keys {
            guard var active = links[device], people?.contains(active.peer.person) != false else {
                continue
            }
            let effects = active.session.ephemeral(
                space.id, topic: topic, body: body, expiry: max(.milliseconds(1), expiry))
            links[device] = active
            queue(effects, on: device)
        }
    }

    /// Sends a message to one linked device.
    /// - Throws: ``CommandFault/notFound(_:)`` if it is not linked.
    package func sendDirect(_ topic: String, _ body: [UInt8], to device: DeviceID) throws {
        guard body.count <= Limits.messageBytesMax else {
            throw CommandFault.usage("a message holds at most \(Limits.messageBytesMax) bytes")
        }
        guard var active = links[device] else {
            throw CommandFault.notFound("device \(device.suffix) is not near now")
        }
        active.directCounter += 1
        links[device] = active
        let direct = Direct(topic: topic, counter: active.directCounter, body: body)
        put(.message(.direct(direct)), on: active)
    }
}
