import PluginKit
import Testing

@testable import Posts

/// When a post is popular.
struct PostRuleTests {
    @Test func `three people who do the same make a post popular, two do not`() {
        for count in [\Popularity.viewers, \.likers, \.commenters] {
            var popularity = Popularity(viewers: 0, likers: 0, commenters: 0)
            popularity[keyPath: count] = 2
            #expect(!popularity.isPopular)
            popularity[keyPath: count] = 3
            #expect(popularity.isPopular)
        }
    }

    @Test func `two who view, two who like and two who comment do not add up`() {
        #expect(!Popularity(viewers: 2, likers: 2, commenters: 2).isPopular)
    }
}
