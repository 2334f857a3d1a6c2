import Contract
import Testing

struct TokenBucketTests {
    @Test func `some steps are permitted at once, and then one in each interval`() {
        var bucket = TokenBucket(atOnceMax: 3, interval: .seconds(60))
        let first = (0..<4).map { _ in bucket.permit(uptime: .seconds(100)) }
        #expect(first == [true, true, true, false])
        #expect(bucket.wait(uptime: .seconds(100)) == .seconds(60))
        #expect(bucket.wait(uptime: .seconds(159)) == .seconds(1))
        #expect(bucket.permit(uptime: .seconds(160)) && !bucket.permit(uptime: .seconds(160)))
    }

    @Test func `a refused step costs nothing, and after a rest all are permitted again`() {
        var bucket = TokenBucket(atOnceMax: 2, interval: .seconds(10))
        for _ in 0..<100 { _ = bucket.permit(uptime: .zero) }
        #expect(!bucket.isFull(uptime: .seconds(19)) && bucket.isFull(uptime: .seconds(20)))
        let later = (0..<3).map { _ in bucket.permit(uptime: .seconds(1000)) }
        #expect(later == [true, true, false])
    }
}
