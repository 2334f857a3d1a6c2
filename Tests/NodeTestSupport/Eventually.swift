/// Checks a condition every 50 ms, for at most 20 s, until it is true.
public func eventually(_ isTrue: () async -> Bool) async -> Bool {
    for _ in 0..<400 {
        if await isTrue() { return true }
        try? await Task.sleep(for: .milliseconds(50))
    }
    return false
}
