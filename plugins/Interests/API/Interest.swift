public import Contract

/// One of the 87 interests that two people may have in common.
///
/// The order of the cases never changes: the ``index`` of an interest is its bit in an
/// announcement.
public enum Interest: String, Choice {
    case games
    case puppies
    case drama
    case fitness
    case tennis
    case cats
    case netflix
    case outdoors
    case cooking
    case reading
    case pets
    case swimming
    case programming
    case movingAbout = "moving-about"
    case driving
    case soccer
    case sports
    case snowboarding
    case basketball
    case baseball
    case mbti
    case coffee
    case dance
    case skiing
    case fashion
    case boardGames = "board-games"
    case photography
    case shopping
    case archery
    case drinks
    case films
    case cars
    case parties
    case walks
    case conversation
    case skateboarding
    case homeTraining = "home-training"
    case goodRestaurants = "good-restaurants"
    case yoga
    case comics
    case hockey
    case writing
    case meditation
    case makeUp = "make-up"
    case cricket
    case music
    case kPop = "k-pop"
    case languageExchange = "language-exchange"
    case hotSprings = "hot-springs"
    case martialArts = "martial-arts"
    case marvel
    case gym
    case running
    case travel
    case tattoos
    case skinCare = "skin-care"
    case kDrama = "k-drama"
    case stocks
    case vr
    case poetry
    case socialMedia = "social-media"
    case money
    case animation
    case volleyball
    case bands
    case disney
    case internetCafes = "internet-cafes"
    case collecting
    case hiking
    case memes
    case karaoke
    case jiuJitsu = "jiu-jitsu"
    case boxing
    case aquariums
    case instagram
    case apple
    case pictures
    case tryingNewThings = "trying-new-things"
    case retroGames = "retro-games"
    case youtube
    case tea
    case standUpComedy = "stand-up-comedy"
    case cycling
    case investing
    case crossfit
    case leagueOfLegends = "league-of-legends"
    case collarbones

    /// The number of interests.
    public static let count = 87

    /// The index of the interest, 0 to 86: its bit in an announcement.
    public var index: Int { Self.indexes[self, default: 0] }

    private static let indexes = Dictionary(
        uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
}

/// Letters by which a person finds interests.
public typealias InterestLetters = Text<1, 40>

extension Interest {
    /// The name of the interest.
    public var name: Sentence { placed.name }

    /// The group that it is in.
    public var group: InterestGroup { placed.group }

    /// The interests in the order in which they are shown: group by group.
    public static let grouped = InterestGroup.shown.flatMap { $0.members.map(\.interest) }

    /// Returns the interests that a person finds by these letters, in the order of ``grouped``: the
    /// letters are in the word of the interest or in its name in any language of the program,
    /// whether capital or small. A blank text finds all.
    public static func found(by letters: String) -> [Interest] {
        guard let wanted = InterestLetters.rule.clip(letters)?.lowercased() else { return grouped }
        return grouped.filter { searched[$0]?.contains { $0.contains(wanted) } ?? false }
    }

    private typealias Place = (group: InterestGroup, name: Sentence)

    private var placed: Place {
        guard let place = Self.places[self] else {
            preconditionFailure("each interest is in one group")
        }
        return place
    }

    private static let places = Dictionary(
        uniqueKeysWithValues: InterestGroup.shown.flatMap { group in
            group.members.map { ($0.interest, (group, $0.name) as Place) }
        })

    /// The word and the names of each interest in small letters.
    private static let searched: [Interest: [String]] = {
        let catalogues = Language.allCases.compactMap { try? Catalogue($0) }
        return Dictionary(
            uniqueKeysWithValues: allCases.map { interest in
                let names = catalogues.map { $0.text(interest.name) }
                return (interest, ([interest.rawValue] + names).map { $0.lowercased() })
            })
    }()
}
