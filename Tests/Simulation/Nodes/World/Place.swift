internal import Links

/// Where a device is on the simulated network; it stays its place over restarts.
struct Place: Hashable, Sendable {
    /// 0, 1, 2 …
    let number: Int

    var name: String { "node \(number)" }
    /// What others dial.
    var address: LinkAddress { LinkAddress(host: "10.0.0.\(number + 1)", port: 7000) }
}
