// swift-tools-version: 6.2
// Targets stand bottom-up: a target may depend only on targets above it.
// `script/house` checks that, and that each file imports only what its target lists here.
import PackageDescription

/// Every target is compiled with the same settings; there are no exceptions.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// Makes modules known to every file of a target without an import, so that a plugin costs each
/// catalogue one line.
func importing(_ modules: [String]) -> SwiftSetting {
    .unsafeFlags(modules.flatMap { ["-Xfrontend", "-import-module", "-Xfrontend", $0] })
}

/// A feature in `plugins/<name>`, as `script/new-plugin` makes it: its `API`, `Sources` and `Tests`,
/// and its `Panel` if it has one.
struct Plugin {
    let name: String
    let hasPanel: Bool
    /// Whether it is in the catalogues; an example is only built and tested.
    let isLinked: Bool
}

func plugin(_ name: String, panel: Bool = false, isLinked: Bool = true) -> Plugin {
    Plugin(name: name, hasPanel: panel, isLinked: isLinked)
}

/// Every plugin. The order of pages and commands is that of the catalogues.
let plugins = [
    plugin("ProximityDrop", panel: true),
    plugin("Chat", panel: true),
    plugin("Promises", panel: true),
    plugin("Wave", panel: true, isLinked: false),
    plugin("Interests", panel: true),
    plugin("WalkLog", panel: true),
    plugin("Matching", panel: true),
    plugin("Posts", panel: true),
    // New plugins above this line.
]

/// The modules of the plugins that a node runs, and of the panels that the window shows.
let linked = plugins.filter(\.isLinked).map(\.name)
let panels = plugins.filter { $0.isLinked && $0.hasPanel }.map { $0.name + "Panel" }

let collections = Target.Dependency.product(
    name: "HashTreeCollections", package: "swift-collections")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let lifecycle = Target.Dependency.product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals = Target.Dependency.product(
    name: "UnixSignals", package: "swift-service-lifecycle")

/// A library target of the engine, in `Sources/<name>`.
func engine(
    _ name: String, _ dependencies: [Target.Dependency] = [],
    _ settings: [SwiftSetting] = settings
) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The API and the sources of a plugin.
func core(of plugin: Plugin) -> [Target] {
    let (name, api, folder) = (plugin.name, plugin.name + "API", "plugins/\(plugin.name)")
    return [
        .target(
            name: api, dependencies: ["Contract"], path: "\(folder)/API", swiftSettings: settings),
        .target(
            name: name, dependencies: ["PluginKit", .init(stringLiteral: api)],
            path: "\(folder)/Sources", swiftSettings: settings),
    ]
}

/// The tests of a plugin and its panel, in its own folder.
func tests(of plugin: Plugin) -> Target {
    .testTarget(
        name: plugin.name + "Tests",
        dependencies: [
            .init(stringLiteral: plugin.name), .init(stringLiteral: plugin.name + "API"),
            "Features", "FeaturesAPI", "PluginHost", "PluginKit", "Records", "Identity",
            "TestSupport",
        ]
            + (plugin.hasPanel
                ? [
                    .init(stringLiteral: plugin.name + "Panel"), "PanelKit", "GtkKit", "Contract",
                    "ControlAPI", "PanelTestSupport",
                ] : []),
        path: "plugins/\(plugin.name)/Tests", swiftSettings: settings)
}

/// The panel of a plugin, if it has one.
func panel(of plugin: Plugin) -> Target? {
    guard plugin.hasPanel else { return nil }
    return .target(
        name: plugin.name + "Panel",
        dependencies: ["PanelKit", "GtkKit", "Contract", "ControlAPI", "NodeAPI", "FeaturesAPI"]
            + [.init(stringLiteral: plugin.name + "API")],
        path: "plugins/\(plugin.name)/Panel", swiftSettings: settings)
}

/// The tests of one module, in `Tests/<name>`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "waggle",
    products: [
        .executable(name: "waggle", targets: ["waggle"]),
        .executable(name: "waggle-window", targets: ["Desktop"]),
        .executable(name: "waggle-photo", targets: ["waggle-photo"]),
        .executable(name: "waggle-sim", targets: ["SimulationProgram"]),
        .executable(name: "waggle-sim-nodes", targets: ["NodeSimulation"]),
        .executable(name: "waggle-formats", targets: ["FormatsProgram"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CSpawn"),
        .systemLibrary(
            name: "CGio", pkgConfig: "gio-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(
            name: "CAvahi", pkgConfig: "avahi-client", providers: [.apt(["libavahi-client-dev"])]),
        .systemLibrary(
            name: "CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0",
            providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),
        .systemLibrary(
            name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(
            name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(
            name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
        // The translations are data that is read at run time.
        .target(name: "Localization", exclude: ["Resources"], swiftSettings: settings),
        engine("Time"),
        engine("Records", ["Time", crypto]),
        engine("Identity", ["Records", crypto]),
        engine("Location", ["Localization", "Time"]),
        engine(
            "Replica",
            [
                "Localization", "Location", "Records", "Identity", collections, crypto, grdb,
                sqlite,
            ]),
        engine("Sync", ["Records", "Identity"]),
        engine("Links", ["Records"]),
        engine(
            "PeerLink",
            ["Records", "Links", crypto, x509, asn1, nio, nioPosix, nioTLS, nioSSL, logging]),
        engine("Discovery", ["CAvahi", "Localization", "Records", "Time", logging]),
        engine("RoutePicture", ["CCairo", "Localization", "Location"]),
        engine("GPSD", ["Location", nio, nioPosix]),
        engine("Ranging", ["Localization", "Records", "Time"]),
        engine("Contract", ["Localization", "Time"]),
        engine("OpenFormats", ["Contract", "Localization", "Location"]),
        engine("TimePhrases", ["Contract"]),
        engine("NodeAPI", ["Contract"]),
        engine("FeaturesAPI", ["Contract"]),
        engine("PhotoFormat"),
        engine(
            "PluginKit",
            [
                "Contract", "Records", "Location", "OpenFormats", "Ranging", "PhotoFormat",
                "RoutePicture", logging,
            ]),
        engine("Features", ["PluginKit", "FeaturesAPI"]),
        engine("Notifications", ["PluginKit"]),
        engine("DesktopBus", ["CGio", "Notifications", "PluginKit", logging]),
        engine("Files"),
        engine("Photos", ["CSpawn", "Files", "Localization", "PhotoFormat"]),
        .executableTarget(
            name: "waggle-photo", dependencies: ["PhotoFormat", "CGdkPixbuf", "CSeccomp"],
            swiftSettings: settings),
        engine("QRCode", ["CQREncode"]),
        engine("PluginHost", ["Files", "Records", "Replica", "PluginKit", logging]),
    ] + plugins.flatMap(core) + [
        engine("ControlAPI", ["Contract"]),
        engine("ControlClient", ["Contract", "ControlAPI", httpClient, nio, nioHTTP1]),
        engine("Practice", ["PluginKit", "ControlAPI", "NodeAPI", "FeaturesAPI"]),
        engine(
            "CommandLineKit", ["Contract", "ControlAPI", "NodeAPI", "Location", "TimePhrases"]),
        engine(
            "Node",
            [
                "CMalloc", "Records", "Identity", "Replica", "Sync", "Links", "Discovery", "Files",
                "PluginKit", "PluginHost", "Location", "Features", "FeaturesAPI", "Notifications",
                "ControlAPI", "NodeAPI", "Contract", logging,
            ] + linked.map { .init(stringLiteral: $0) },
            settings + [importing(linked)]),
        engine(
            "Daemon",
            [
                "Records", "Identity", "Replica", "Links", "PeerLink", "Discovery", "Location",
                "GPSD", "DesktopBus", "Notifications", "Photos", "PluginKit", "PluginHost",
                "ControlAPI", "NodeAPI", "Node",
                hummingbird, lifecycle, logging, nio, signals,
            ]),
        .executableTarget(
            name: "waggle",
            dependencies: [
                "Records", "Identity", "Discovery", "PluginKit", "ControlAPI", "ControlClient",
                "CommandLineKit", "Contract", "FeaturesAPI", "Node", "NodeAPI", "Daemon",
                "Practice",
                "QRCode", logging,
            ],
            swiftSettings: settings),

        .executableTarget(
            name: "waggle-bench",
            dependencies: [
                "Records", "Identity", "Replica", "Sync", "Links", "PeerLink", "PluginKit",
                "ControlAPI", "FeaturesAPI", "Location", "Node", "Daemon", "Photos", "WalkLogAPI",
                crypto, logging, sqlite,
            ],
            path: "Benchmarks/Sources", swiftSettings: settings),

        .systemLibrary(
            name: "CGtk", path: "ui/CGtk", pkgConfig: "libhandy-1",
            providers: [.apt(["libhandy-1-dev"])]),
        .target(
            name: "GtkKit", dependencies: ["CGtk"], path: "ui/GtkKit", swiftSettings: settings),
        .target(
            name: "TileKit", dependencies: ["Localization", sqlite], path: "ui/TileKit",
            swiftSettings: settings),
        .target(
            name: "PanelKit",
            dependencies: [
                "Localization", "Location", "Contract", "ControlAPI", "NodeAPI", "FeaturesAPI",
                "GtkKit", "Photos", "PhotoFormat", "TimePhrases",
            ],
            path: "ui/PanelKit", swiftSettings: settings),
    ] + plugins.compactMap(panel) + [
        .executableTarget(
            name: "Desktop",
            dependencies: [
                "Localization", "Location", "Contract", "ControlAPI", "NodeAPI", "FeaturesAPI",
                "ControlClient", "Files", "OpenFormats", "QRCode", "GtkKit", "TileKit", "PanelKit",
            ]
                + panels.map { .init(stringLiteral: $0) },
            path: "ui/Desktop", swiftSettings: settings + [importing(panels)]),

        .target(
            name: "TestSupport",
            dependencies: [
                "Records", "Identity", "Replica", "PluginKit", "PluginHost", logging,
            ],
            path: "Tests/TestSupport", swiftSettings: settings),
        .target(name: "CRecordingDisk", path: "Tests/Crash/CRecordingDisk"),
        .executableTarget(
            name: "CrashTrial",
            dependencies: [
                "CRecordingDisk", "TestSupport", "Replica", "Records", "Identity", "ControlAPI",
                "PluginKit", "Node",
            ],
            path: "Tests/Crash/CrashTrial", swiftSettings: settings),
        .target(
            name: "NodeTestSupport",
            dependencies: [
                "Node", "NodeAPI", "Daemon", "ControlAPI", "ControlClient", "FeaturesAPI",
                "PluginKit", "ProximityDropAPI", "Identity", "Files", "TestSupport", logging,
            ],
            path: "Tests/NodeTestSupport", swiftSettings: settings),
        .target(
            name: "Simulation",
            dependencies: ["Records", "Identity", "Replica", "Sync", "TestSupport", crypto],
            path: "Tests/Simulation/Core", swiftSettings: settings),
        .executableTarget(
            name: "SimulationProgram", dependencies: ["Simulation"],
            path: "Tests/Simulation/Program", swiftSettings: settings),
        .testTarget(
            name: "BenchmarkTests", dependencies: ["waggle-bench"], path: "Benchmarks/Tests",
            swiftSettings: settings),
        tests("CrashTests", ["TestSupport"]),
        .executableTarget(
            name: "NodeSimulation",
            dependencies: [
                "Records", "Identity", "Replica", "Sync", "Links", "Discovery", "Location",
                "PluginKit", "Features", "FeaturesAPI", "ControlAPI", "Node", "NodeAPI",
                "TestSupport", crypto, logging,
            ] + linked.flatMap { [.init(stringLiteral: $0), .init(stringLiteral: $0 + "API")] },
            path: "Tests/Simulation/Nodes", swiftSettings: settings),
        .target(
            name: "PanelTestSupport",
            dependencies: ["Contract", "ControlAPI", "NodeAPI", "FeaturesAPI", "PanelKit"],
            path: "Tests/PanelTestSupport", swiftSettings: settings),
    ] + plugins.map(tests(of:)) + [
        tests("LocalizationTests", ["Localization"]),
        tests("QRCodeTests", ["QRCode"]),
        tests(
            "RecordsTests",
            [
                "Records", "Identity", "Links", "Node", "Replica", "Sync", "PluginKit",
                "Posts", "ProximityDrop", "Matching", "MatchingAPI", "TestSupport", crypto,
            ]),
        tests("IdentityTests", ["Identity", "Records", "TestSupport"]),
        tests(
            "ReplicaTests",
            [
                "Localization", "Location", "Replica", "Records", "Identity", "TestSupport", grdb,
                sqlite,
            ]),
        tests(
            "PostListTests",
            [
                "Posts", "PostsAPI", "Features", "PluginKit", "Location", "Replica", "Records",
                "Identity", "TestSupport", grdb,
            ]),
        tests("SyncTests", ["Simulation", "Sync", "Records", "Identity", "TestSupport", crypto]),
        tests(
            "PeerLinkTests",
            [
                "Links", "PeerLink", "Records", crypto, cryptoExtras, x509, asn1, nio, nioEmbedded,
                nioPosix,
                nioTLS, nioSSL, logging,
            ]),
        tests("DiscoveryTests", ["Localization", "Discovery", "Records", logging]),
        tests("RoutePictureTests", ["RoutePicture", "Location"]),
        tests("LocationTests", ["Location", "GPSD", nio, nioPosix]),
        .executableTarget(
            name: "FormatsProgram", dependencies: ["OpenFormats"], path: "Tests/Formats",
            swiftSettings: settings),
        tests("OpenFormatsTests", ["OpenFormats"]),
        tests("RangingTests", ["Ranging", "Records"]),
        tests("PluginKitTests", ["PluginKit", "Wave", "WaveAPI", "Records", "TestSupport"]),
        tests(
            "FeaturesTests",
            ["Features", "FeaturesAPI", "PluginHost", "PluginKit", "Records", "TestSupport"]),
        tests("ContractTests", ["Contract", "Records"]),
        tests(
            "NotificationsTests",
            [
                "Notifications", "DesktopBus", "Contract", "PluginKit", "FeaturesAPI", "Records",
                logging,
            ]),
        tests("ControlAPITests", ["ControlAPI", "ControlClient", "Contract", nio]),
        tests(
            "NodeTests",
            [
                "Files", "Node", "NodeAPI", "Daemon", "waggle-photo", "ControlAPI", "ControlClient",
                "PluginKit", "PluginHost", "Replica", "Records", "Identity", "Links", "Features",
                "FeaturesAPI", "Contract", "Discovery", "ProximityDrop",
                "NodeTestSupport", "TestSupport", "Sync", "Notifications", grdb, lifecycle, logging,
            ] + linked.map { .init(stringLiteral: $0 + "API") }),
        tests(
            "DaemonTests",
            [
                "Daemon", "waggle-photo", "Links", "Node", "ControlAPI", "ControlClient",
                "PluginKit", "Records", "NodeTestSupport", "TestSupport", lifecycle, logging,
            ]),
        tests(
            "PracticeTests",
            [
                "Practice", "PanelTestSupport", "PluginKit", "Contract", "ControlAPI", "NodeAPI",
                "FeaturesAPI",
            ]),
        tests("TimePhrasesTests", ["TimePhrases", "Contract"]),
        tests(
            "CommandLineTests",
            [
                "CommandLineKit", "ControlAPI", "Node", "NodeAPI", "Contract", "TimePhrases",
                "FeaturesAPI", "PluginKit", "ChatAPI", "PromisesAPI",
            ]),
        tests(
            "HostilePeers",
            [
                "Node", "NodeAPI", "Links", "PeerLink", "Sync", "Records", "Identity", "Replica",
                "Contract", "ControlAPI", "ControlClient", "PluginHost", "PluginKit", "Discovery",
                "Location", "NodeTestSupport", "TestSupport", "Features", "FeaturesAPI", "ChatAPI",
                "ProximityDrop", nio, nioPosix, nioSSL, logging,
            ]),
        tests("LANTests", []),
        tests(
            "DesktopTests",
            [
                "Desktop", "GtkKit", "TileKit", "PanelKit", "Location", "OpenFormats", "Contract",
                "NodeAPI",
                "FeaturesAPI", "ControlAPI", "ControlClient", "TestSupport", "PanelTestSupport",
            ]),
        tests("GtkKitTests", ["CGtk", "GtkKit"]),
        tests("TileKitTests", ["TileKit", sqlite]),
        tests(
            "PhotosTests", ["Localization", "Photos", "PhotoFormat", "waggle-photo", "TestSupport"]),
    ]
)
