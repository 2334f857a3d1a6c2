internal import PluginKit
internal import Records
internal import Sync

// Messages that are never stored.
extension Node {
    /// Sends to every linked member of a space, or to those of them who are named; nobody linked
    /// is no fault, the message is worth nothing later.
    func sendEphemeral(
        _ topic: String, _ body: [UInt8], to space: SpaceID, only people: Set<PersonID>?,
        expiry: Duration
    ) throws {
        guard body.count <= Limits.messageBytesMax else {
            throw CommandFault.usage("a message holds at most \(Limits.messageBytesMax) bytes")
        }
        let milliseconds = UInt64(max(1, expiry / .milliseconds(1)))
        for device in links.keys {
            guard var active = links[device], people?.contains(active.peer.person) != false else {
                continue
            }
            let effects = active.session.ephemeral(
                space, topic: topic, body: body, expiryMilliseconds: milliseconds)
            links[device] = active
            queue(effects, on: device)
        }
    }

    /// Sends to one linked device.
    /// - Throws: ``CommandFault/notFound(_:)`` where it is not linked.
    func sendDirect(_ topic: String, _ body: [UInt8], to device: DeviceID) throws {
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
