import Foundation
import TestSupport
import Testing

/// The files that a power cut may leave, and those it may not change.
struct DiskModelTests {
    private static let seeds = 0..<200 as Range<UInt64>

    /// Returns a directory with one file of these bytes, all on the disk.
    private func disk(_ bytes: [UInt8]) -> DiskModel { DiskModel(["a": Data(bytes)]) }

    /// Returns the content of the file after a cut, for each seed.
    private func left(_ model: DiskModel, _ damage: Damage) -> Set<Data?> {
        Set(
            DiskModelTests.seeds.map { seed in
                var generator = SeededGenerator(seed: seed)
                return model.afterPowerCut(damage, using: &generator)["a"]
            })
    }

    @Test(arguments: Damage.allCases)
    func `synced bytes stay after any damage`(damage: Damage) {
        var model = DiskModel()
        model.apply(DiskEvent("a", .create))
        model.apply(DiskEvent("a", .write(at: 0, Data([1, 2, 3]))))
        model.apply(DiskEvent("a", .sync))
        model.apply(DiskEvent("", .syncDirectory))
        #expect(left(model, damage) == [Data([1, 2, 3])])
    }

    @Test func `unsynced bytes are kept or dropped as a whole`() {
        var model = disk([1, 1, 1])
        model.apply(DiskEvent("a", .write(at: 1, Data([2]))))
        #expect(left(model, .kept) == [Data([1, 2, 1])])
        #expect(left(model, .dropped) == [Data([1, 1, 1])])
        #expect(model.seen["a"] == Data([1, 2, 1]))
    }

    @Test func `a write tears between sectors and never within one`() {
        var model = disk([UInt8](repeating: 0, count: 1536))
        model.apply(DiskEvent("a", .write(at: 500, Data(repeating: 7, count: 536))))
        let ends = left(model, .torn).map { $0?.lastIndex(of: 7) }
        #expect(Set(ends) == [nil, 511, 1023, 1035])
    }

    @Test func `a later write may reach the disk before an earlier one`() {
        var model = disk([0, 0])
        for (place, byte) in [(0, 1), (1, 2)] as [(Int, UInt8)] {
            model.apply(DiskEvent("a", .write(at: place, Data([byte]))))
        }
        // Both writes are in one sector, and still each may reach the disk without the other.
        #expect(left(model, .reordered).contains(Data([0, 2])))
        #expect(!left(model, .torn).contains(Data([0, 2])))
    }

    @Test func `a file may grow on the disk without its bytes, or keep its length with new bytes`()
    {
        var model = disk([1])
        model.apply(DiskEvent("a", .write(at: 0, Data([2, 2]))))
        #expect(
            left(model, .reordered) == [Data([1]), Data([1, 0]), Data([2]), Data([2, 2])])
    }

    @Test func `a name is on the disk only when the directory was synced`() {
        var model = DiskModel()
        model.apply(DiskEvent("a", .create))
        model.apply(DiskEvent("a", .write(at: 0, Data([1]))))
        model.apply(DiskEvent("a", .sync))
        #expect(left(model, .dropped) == [nil])
        model.apply(DiskEvent("", .syncDirectory))
        model.apply(DiskEvent("a", .remove))
        #expect(left(model, .dropped) == [Data([1])])
        #expect(left(model, .kept) == [nil])
        #expect(model.seen["a"] == nil)
    }

    @Test(arguments: Damage.allCases)
    func `a rename that was not synced leaves the old bytes or the new ones`(damage: Damage) {
        var model = disk([1])
        model.apply(DiskEvent("b", .create))
        model.apply(DiskEvent("b", .write(at: 0, Data([2]))))
        model.apply(DiskEvent("b", .sync))
        model.apply(DiskEvent("", .syncDirectory))
        model.apply(DiskEvent("b", .rename("a")))
        #expect(model.seen == ["a": Data([2])])
        #expect(left(model, damage).isSubset(of: [Data([1]), Data([2])]))
        #expect(left(model, .dropped) == [Data([1])])
        model.apply(DiskEvent("", .syncDirectory))
        #expect(left(model, damage) == [Data([2])])
    }

    @Test func `a second name of a file is on the disk only when the directory was synced`() {
        var model = DiskModel(["b": Data([3])])
        model.apply(DiskEvent("b", .link("a")))
        #expect(model.seen == ["a": Data([3]), "b": Data([3])])
        #expect(left(model, .dropped) == [nil])
        model.apply(DiskEvent("", .syncDirectory))
        #expect(left(model, .dropped) == [Data([3])])
    }

    @Test func `bytes of a failed sync are seen, and no later sync saves them`() {
        var model = disk([0, 0])
        model.apply(DiskEvent("a", .write(at: 0, Data([1]))))
        model.apply(DiskEvent("a", .failedSync))
        model.apply(DiskEvent("a", .write(at: 1, Data([2]))))
        model.apply(DiskEvent("a", .sync))
        #expect(model.seen["a"] == Data([1, 2]))
        #expect(left(model, .kept) == [Data([0, 2])])
    }

    @Test(arguments: Damage.allCases)
    func `a sync of a directory keeps the names in it, and no others`(damage: Damage) {
        var model = DiskModel()
        for name in ["b/a", "c/a"] {
            model.apply(DiskEvent(name, .create))
            model.apply(DiskEvent(name, .write(at: 0, Data([1]))))
            model.apply(DiskEvent(name, .sync))
        }
        model.apply(DiskEvent("b", .sync))
        model.apply(DiskEvent("c/a", .rename("b/b")))
        var names: Set<[String]> = []
        for seed in DiskModelTests.seeds {
            var generator = SeededGenerator(seed: seed)
            names.insert(model.afterPowerCut(damage, using: &generator).keys.sorted())
        }
        #expect(names.allSatisfy { $0.first == "b/a" })
        if damage == .dropped { #expect(names == [["b/a"]]) }
        model.apply(DiskEvent("b", .sync))
        var generator = SeededGenerator(seed: 1)
        #expect(model.afterPowerCut(.dropped, using: &generator).keys.sorted() == ["b/a", "b/b"])
    }
}
