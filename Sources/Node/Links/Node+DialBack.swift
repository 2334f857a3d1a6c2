internal import Links
internal import PluginKit
internal import Records
internal import Sync

// Dialling a peer because it asks whether it can be reached.
extension Node {
    /// Handles a peer's question whether it can be reached: dials its port at the address seen
    /// here, unless the peer or all peers together have asked too often.
    func dialBack(_ nonce: UInt64, port: UInt16, for device: DeviceID) {
        let now = clock.uptime
        guard let active = links[device], let host = active.link.remoteAddress?.host, port > 0,
            active.dialBack.permitsDial(now: now), plan.permitDialBack(to: device, now: now)
        else { return put(.message(.dialResult(nonce: nonce, .notTried)), on: links[device]) }
        links[device]?.dialBack.begin(now: now)
        let address = LinkAddress(host: host, port: port)
        Task { await tryDial(address, nonce, for: active) }
    }

    /// Dials the peer of a link and answers its question. A peer that never says goodbye keeps the
    /// socket open for a second, so the next attempt waits until it is closed.
    private func tryDial(_ address: LinkAddress, _ nonce: UInt64, for active: ActiveLink) async {
        let (result, link) = await dialled(address, expecting: active.peer.device)
        if links[active.peer.device]?.id == active.id {
            put(.message(.dialResult(nonce: nonce, result)), on: links[active.peer.device])
        }
        if let link {
            link.close(because: .closed)
            _ = await link.closed
        }
        if links[active.peer.device]?.id == active.id {
            links[active.peer.device]?.dialBack.end()
        }
    }

    private func dialled(
        _ address: LinkAddress, expecting device: DeviceID
    ) async -> (DialResult, (any DeviceLink)?) {
        do {
            return (.reached, try await surroundings.transport.dial(address, expecting: device))
        } catch .cannotConnect, .wrongDevice {
            return (.refused, nil)
        } catch {
            return (.timedOut, nil)
        }
    }
}
