import Contract
import PromisesAPI
import Testing

struct PotatoTextTests {
    @Test(arguments: [
        (0, "0 potatoes"), (1, "1 potato"), (2, "2 potatoes"), (999, "999 potatoes"),
        (1500, "1,500 potatoes"),
    ])
    func `potatoes are counted in words`(count: Int, text: String) {
        #expect(PotatoText.count(count).english == text)
    }
}
