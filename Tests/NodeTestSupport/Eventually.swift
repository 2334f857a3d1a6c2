/// Checks a condition every 50 ms, for at most `seconds`, until it is true.
public func eventually(seconds: Int = 20, _ isTrue: () async -> Bool) async -> Bool {
    for _ in 0..<seconds * 20 {
        if await isTrue() { return true }
        try? await Task.sleep(for: .milliseconds(50))
    }
    return false
}
