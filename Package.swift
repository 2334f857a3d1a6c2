// swift-tools-version: 6.2
// Targets stand bottom-up: a target may depend only on targets above it.
// `script/test` enforces that with --explicit-target-dependency-import-check and its own checks.
import PackageDescription

/// Puts bugs in on purpose, for `script/planted` alone.
let planted: [SwiftSetting] =
    Context.environment["WAGGLE_PLANTED"] == nil ? [] : [.define("PLANTED")]

/// Every target is compiled with the same settings; there are no exceptions.
let settings: [SwiftSetting] = planted + [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

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
func engine(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
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
        .executable(name: "waggle-sim", targets: ["SimulationProgram"]),
        .executable(name: "waggle-sim-nodes", targets: ["NodeSimulation"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
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
        .systemLibrary(
            name: "CAvahi", pkgConfig: "avahi-client", providers: [.apt(["libavahi-client-dev"])]),
        engine("Records", [crypto]),
        engine("Identity", ["Records", crypto]),
        engine("Replica", ["Records", "Identity", crypto, grdb, sqlite]),
        engine("Sync", ["Records", "Identity"]),
        engine("Links", ["Records"]),
        engine(
            "PeerLink",
            ["Records", "Links", crypto, x509, asn1, nio, nioPosix, nioTLS, nioSSL, logging]),
        engine("Discovery", ["CAvahi", logging]),
        engine("Location"),
        engine("GPSD", ["Location", nio, nioPosix]),
        engine("PluginKit", ["Records", "Location", logging]),
        engine("Neighbours", ["PluginKit"]),
        .target(
            name: "ProximityDrop", dependencies: ["PluginKit"],
            path: "plugins/ProximityDrop/Sources", swiftSettings: settings),
        .target(
            name: "Chat", dependencies: ["PluginKit"],
            path: "plugins/Chat/Sources", swiftSettings: settings),
        .target(
            name: "Wave", dependencies: ["PluginKit"],
            path: "plugins/Wave/Sources", swiftSettings: settings),
        .target(
            name: "Promises", dependencies: ["PluginKit"],
            path: "plugins/Promises/Sources", swiftSettings: settings),
        engine("ControlAPI", ["Location", "PluginKit"]),
        engine("ControlClient", ["ControlAPI", "PluginKit", httpClient, nio, nioHTTP1]),
        engine(
            "Node",
            [
                "CMalloc", "Records", "Identity", "Replica", "Sync", "Links", "Discovery",
                "PluginKit", "Location", "Neighbours", "ProximityDrop", "Promises", "Chat",
                "ControlAPI", logging,
            ]),
        engine(
            "Daemon",
            [
                "Records", "Identity", "Replica", "Links", "PeerLink", "Discovery", "Location",
                "GPSD", "PluginKit", "ControlAPI", "Node",
                hummingbird, lifecycle, logging, nio, signals,
            ]),
        .executableTarget(
            name: "waggle",
            dependencies: [
                "Records", "Identity", "Discovery", "PluginKit", "ControlAPI", "ControlClient",
                "Node", "Daemon", logging,
            ],
            swiftSettings: settings),

        .executableTarget(
            name: "waggle-bench",
            dependencies: [
                "Records", "Identity", "Replica", "Sync", "Links", "PeerLink", "PluginKit",
                "ControlAPI", "Node", "Daemon", crypto, logging, sqlite,
            ],
            path: "Benchmarks/Sources", swiftSettings: settings),

        .systemLibrary(
            name: "CGtk", path: "ui/CGtk", pkgConfig: "gtk+-3.0",
            providers: [.apt(["libgtk-3-dev"])]),
        .target(
            name: "GtkKit", dependencies: ["CGtk"], path: "ui/GtkKit", swiftSettings: settings),
        .target(
            name: "ProximityDropPanel", dependencies: ["GtkKit", "ControlAPI"],
            path: "plugins/ProximityDrop/Panel", swiftSettings: settings),
        .target(
            name: "ChatPanel", dependencies: ["GtkKit", "ControlAPI"],
            path: "plugins/Chat/Panel", swiftSettings: settings),
        .target(
            name: "PromisesPanel", dependencies: ["GtkKit", "ControlAPI"],
            path: "plugins/Promises/Panel", swiftSettings: settings),
        .executableTarget(
            name: "Desktop",
            dependencies: [
                "Location", "ControlAPI", "ControlClient", "GtkKit", "ProximityDropPanel",
                "ChatPanel", "PromisesPanel",
            ],
            path: "ui/Desktop", swiftSettings: settings),

        .target(
            name: "TestSupport",
            dependencies: ["Records", "Identity", "Replica", "PluginKit"],
            path: "Tests/TestSupport", swiftSettings: settings),
        .target(name: "CRecordingDisk", path: "Tests/Crash/CRecordingDisk"),
        .executableTarget(
            name: "CrashTrial",
            dependencies: ["CRecordingDisk", "TestSupport", "Replica", "Records", "Identity"],
            path: "Tests/Crash/CrashTrial", swiftSettings: settings),
        .target(
            name: "NodeTestSupport",
            dependencies: [
                "Node", "Daemon", "ControlAPI", "ControlClient", "PluginKit", "Identity", logging,
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
                "PluginKit", "Neighbours", "ProximityDrop", "Promises", "Chat", "ControlAPI", "Node",
                "TestSupport", crypto, logging,
            ],
            path: "Tests/Simulation/Nodes", swiftSettings: settings),
        tests("RecordsTests", ["Records", "Identity", "Sync", "TestSupport", crypto]),
        tests("IdentityTests", ["Identity", "Records", "TestSupport"]),
        tests("ReplicaTests", ["Replica", "Records", "Identity", "TestSupport", grdb]),
        tests("SyncTests", ["Sync", "Records", "Identity", "TestSupport", crypto]),
        tests(
            "PeerLinkTests",
            [
                "Links", "PeerLink", "Records", crypto, cryptoExtras, x509, asn1, nio, nioEmbedded, nioPosix,
                nioTLS, nioSSL, logging,
            ]),
        tests("DiscoveryTests", ["Discovery", logging]),
        tests("LocationTests", ["Location", "GPSD", nio, nioPosix]),
        tests("PluginKitTests", ["PluginKit", "Wave", "Records", "TestSupport"]),
        tests("NeighboursTests", ["Neighbours", "PluginKit", "Records", "TestSupport"]),
        .testTarget(
            name: "ProximityDropTests",
            dependencies: ["ProximityDrop", "Neighbours", "PluginKit", "Records", "TestSupport"],
            path: "plugins/ProximityDrop/Tests", swiftSettings: settings),
        .testTarget(
            name: "ChatTests",
            dependencies: ["Chat", "Neighbours", "PluginKit", "Records", "TestSupport"],
            path: "plugins/Chat/Tests", swiftSettings: settings),
        .testTarget(
            name: "PromisesTests",
            dependencies: [
                "Promises", "Neighbours", "PluginKit", "Records", "Identity", "TestSupport",
            ],
            path: "plugins/Promises/Tests", swiftSettings: settings),
        tests("ControlAPITests", ["ControlAPI", "ControlClient", "PluginKit"]),
        tests(
            "NodeTests",
            [
                "Node", "Daemon", "ControlAPI", "ControlClient", "PluginKit", "Replica", "Records",
                "Identity", "Links", "Neighbours", "NodeTestSupport", "TestSupport", "Sync", grdb, lifecycle, logging,
            ]),
        tests(
            "DaemonTests",
            [
                "Daemon", "Node", "ControlAPI", "ControlClient", "PluginKit", "NodeTestSupport",
                "TestSupport", lifecycle, logging,
            ]),
        tests("CommandLineTests", ["ControlAPI", "PluginKit"]),
        tests(
            "HostilePeersTests",
            [
                "Node", "Links", "PeerLink", "Sync", "Records", "Identity", "Replica", "ControlAPI",
                "PluginKit", "NodeTestSupport", logging,
            ]),
        tests("LANTests", []),
        tests(
            "DesktopTests",
            [
                "Desktop", "GtkKit", "ControlAPI", "ControlClient", "ProximityDropPanel",
                "ChatPanel", "PromisesPanel",
            ]),
    ]
)
