import ControlAPI
import Foundation
import Identity
import PluginKit
import Testing

@testable import Node

struct NodeIdentityTests {
    private func withHome(_ body: (Home) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "waggle-id-" + UUID().uuidString.prefix(8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(Home(path))
    }

    private func fault(_ operation: () throws -> Void) -> CommandFault? {
        do {
            try operation()
            return nil
        } catch {
            return CommandFault(error)
        }
    }

    @Test func `a created identity can be loaded and is not created twice`() throws {
        try withHome { home in
            let (created, _) = try NodeIdentity.create(in: home)
            #expect(try NodeIdentity.load(from: home).key.id == created.key.id)
            #expect(fault { _ = try NodeIdentity.create(in: home) }?.exitCode == 7)
        }
    }

    @Test func `the key of an interrupted start is reused`() throws {
        try withHome { home in
            try home.prepare()
            var generator = SystemRandomNumberGenerator()
            let left = try DeviceKeyFile(path: home.deviceKeyFile).create(using: &generator)
            let (created, _) = try NodeIdentity.create(in: home)
            #expect(created.key.id == left.id)
        }
    }

    @Test func `the former devices of a home are known from the keys that are kept`() throws {
        try withHome { home in
            var generator = SystemRandomNumberGenerator()
            let (first, _) = try NodeIdentity.create(in: home)
            #expect(first.formerDevices.isEmpty)
            let second = try first.continuedOnNewKey(in: home, known: nil, using: &generator)
            #expect(second.formerDevices == [first.key.id])
            let third = try second.continuedOnNewKey(in: home, known: nil, using: &generator)
            #expect(third.formerDevices == [first.key.id, second.key.id])
            #expect(try NodeIdentity.load(from: home).formerDevices == third.formerDevices)
            // A truncated key is ignored, and so is a key under another key's file name.
            let kept = [first, second].map { "\(home.deviceKeyFile).\($0.key.id.suffix)" }
            try Data(count: 31).write(to: URL(fileURLWithPath: kept[0]))
            #expect(try NodeIdentity.load(from: home).formerDevices == [second.key.id])
            try FileManager.default.removeItem(atPath: kept[0])
            try FileManager.default.moveItem(atPath: kept[1], toPath: kept[0])
            #expect(try NodeIdentity.load(from: home).formerDevices == [])
        }
    }

    @Test func `a replica without a person's record is a conflict with instructions`() throws {
        try withHome { home in
            _ = try NodeIdentity.create(in: home)
            try FileManager.default.removeItem(atPath: home.personRecordFile)
            try Data().write(to: URL(fileURLWithPath: home.replicaFile))
            let fault = fault { _ = try NodeIdentity.create(in: home) }
            #expect(fault?.exitCode == 7)
            #expect(fault?.sentence.contains("put person.record back from a backup") == true)
            #expect(!home.hasIdentity)
        }
    }

    @Test func `a person's record without a key is reported with instructions`() throws {
        try withHome { home in
            _ = try NodeIdentity.create(in: home)
            try FileManager.default.removeItem(atPath: home.deviceKeyFile)
            let fault = fault { _ = try NodeIdentity.load(from: home) }
            #expect(fault?.exitCode == 1)
            #expect(fault?.sentence.contains("put device.key back from a backup") == true)
        }
    }

    @Test func `a home whose path is too long for a socket gets no identity`() {
        let home = Home("/tmp/" + String(repeating: "d", count: APILimits.socketPathBytesMax))
        let fault = fault { _ = try NodeIdentity.create(in: home) }
        #expect(fault?.sentence.contains("the system allows 103") == true)
        #expect(!FileManager.default.fileExists(atPath: home.directory))
    }
}
