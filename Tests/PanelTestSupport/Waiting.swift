/// Waits until a condition is true, for at most twenty seconds or so. Answers are decoded, and
/// pictures are read, on other threads.
@MainActor
public func wait(until isTrue: @MainActor () -> Bool) async {
    for _ in 0..<20_000 where !isTrue() { try? await Task.sleep(for: .milliseconds(1)) }
}
