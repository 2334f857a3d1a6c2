import PanelTestSupport

@testable import Desktop

/// Starts a ``FakeNode``, or fails.
@MainActor
final class FakeLauncher: NodeStarting {
    private let node: FakeNode
    var fault: LaunchFault?
    private(set) var startCount = 0

    init(_ node: FakeNode) {
        self.node = node
    }

    func start() async throws(LaunchFault) {
        startCount += 1
        if let fault { throw fault }
        node.isRunning = true
    }

    func checkAlive() throws(LaunchFault) {}
}
