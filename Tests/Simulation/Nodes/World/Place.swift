internal import Links

/// A device's position on the simulated network, which it keeps over restarts.
struct Place: Hashable, Sendable {
    /// The positions are numbered from 0.
    let number: Int

    var name: String { "node \(number)" }
    /// The address that other devices dial.
    var address: LinkAddress { LinkAddress(host: "10.0.0.\(number + 1)", port: 7000) }
}
