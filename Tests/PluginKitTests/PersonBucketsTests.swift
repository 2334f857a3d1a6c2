import PluginKit
import Records
import Testing

/// A rate that is limited for each person and for all.
@Suite struct PersonBucketsTests {
    private func person(_ number: Int) -> PersonID {
        var bytes = [UInt8](repeating: 0, count: 32)
        (bytes[0], bytes[1]) = (UInt8(number / 256), UInt8(number % 256))
        return PersonID(raw: Bytes32(bytes) ?? .zero)
    }

    private let one = TokenBucket(atOnceMax: 2, interval: .seconds(60))

    @Test func `each person has a bucket of their own`() {
        var buckets = PersonBuckets(each: one)
        let first = (0..<5).count { _ in buckets.permit(person(1), now: .zero) }
        let other = (0..<5).count { _ in buckets.permit(person(2), now: .zero) }
        #expect(first == 2 && other == 2)
        let later = [59, 60].map { buckets.permit(person(1), now: .seconds($0)) }
        #expect(later == [false, true])
        let nobody = (0..<100).count { _ in buckets.permit(nil, now: .zero) }
        #expect(nobody == 100, "nothing limits steps that nobody causes")
    }

    @Test func `all people together have one too, and a refused step costs nothing`() {
        var buckets = PersonBuckets(
            each: one, all: TokenBucket(atOnceMax: 3, interval: .seconds(10)))
        let single = (0..<5).count { _ in buckets.permit(person(1), now: .zero) }
        #expect(single == 2)
        let others = [person(2), person(2), nil].map { buckets.permit($0, now: .zero) }
        #expect(others == [true, false, false], "the refused steps of one cost the others nothing")
        #expect(buckets.wait(person(2), now: .zero) == .seconds(10))
        #expect(buckets.wait(person(1), now: .seconds(10)) == .seconds(50))
        let later = buckets.permit(person(2), now: .seconds(10))
        #expect(later)
        let nobody = (0..<5).count { _ in buckets.permit(nil, now: .seconds(1000)) }
        #expect(nobody == 3)
    }

    @Test func `256 people are remembered, and one more takes the place of the fullest bucket`() {
        var buckets = PersonBuckets(each: one)
        // Person 7 was the first, so their bucket is nearest to full.
        var permitted = buckets.permit(person(7), now: .zero) ? 1 : 0
        for number in (0..<PersonBuckets.peopleMax) where number != 7 {
            for _ in 0..<2 { permitted += buckets.permit(person(number), now: .seconds(1)) ? 1 : 0 }
        }
        #expect(permitted == 1 + 2 * 255)
        #expect(buckets.wait(person(256), now: .seconds(1)) == .zero)
        let late = (0..<3).map { _ in buckets.permit(person(256), now: .seconds(1)) }
        #expect(late == [true, true, false], "somebody new is permitted as much as others")
        let remembered = (0..<256).filter { buckets.wait(person($0), now: .seconds(1)) > .zero }
        #expect(remembered == (0..<256).filter { $0 != 7 }, "nobody else was forgotten")
        let again = (0..<3).map { _ in buckets.permit(person(7), now: .seconds(1)) }
        #expect(again == [true, true, false], "who was forgotten has a full bucket")
    }

    @Test func `a person causes one notice of a request a minute, and all together four at once`() {
        var notices = PersonBuckets.noticesOfRequests
        let single = [0, 59, 60].map { notices.permit(person(1), now: .seconds($0)) }
        #expect(single == [true, false, true])
        let others = (2...10).count { notices.permit(person($0), now: .seconds(60)) }
        #expect(others == 3)
        let later = [74, 75].map { notices.permit(person(11), now: .seconds($0)) }
        #expect(later == [false, true])
    }
}
