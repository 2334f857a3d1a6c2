"""Writes files with the packages of others, and what each of them says. Runs in the environment with
these packages:

    python3 writers.py FOLDER COUNT

Each file `NUMBER.ENDING` has its content beside it as `NUMBER.ENDING.json`, with the members that
`waggle-formats` prints too.
"""

import base64
import json
import random
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import geojson
import gpxpy.gpx
import icalendar
import vobject

PARTS = ["a", "Z", "0", ",", ";", ":", "\\", '"', "=", "<", ">", "&", "é", "산책", "🐶", " b", "'", "%"]
ZONES = ["Asia/Seoul", "Europe/Berlin", "America/New_York", "Australia/Sydney", "UTC"]


def text(draw: random.Random, most: int, lines: bool = False) -> str:
    """A text with the characters that formats treat specially."""
    parts = PARTS + (["\n"] if lines else [])
    return "x" + "".join(draw.choice(parts) for _ in range(draw.randint(1, most))) + "x"


def point(draw: random.Random) -> tuple[float, float]:
    """A latitude and a longitude."""
    return draw.randint(-9000000, 9000000) / 100000, draw.randint(-18000000, 18000000) / 100000


def calendar(draw: random.Random) -> tuple[str, list]:
    """A calendar by icalendar, with times in zones whose rules the file has."""
    made, said = icalendar.Calendar(prodid="-//Test//EN", version="2.0"), []
    for _ in range(draw.randint(1, 3)):
        # Not in the hours in which clocks are changed, when a local time may mean two moments.
        start = datetime(draw.randint(2000, 2035), draw.randint(1, 12), draw.randint(1, 28),
                         draw.randint(6, 22), draw.randint(0, 59), tzinfo=ZoneInfo(draw.choice(ZONES)))
        end = start + timedelta(hours=1)
        latitude, longitude = point(draw)
        event = icalendar.Event()
        values = {"uid": f"{draw.getrandbits(64)}@test", "title": text(draw, 60),
                  "location": text(draw, 30), "notes": text(draw, 120, lines=True),
                  "status": draw.choice(["TENTATIVE", "CONFIRMED", "CANCELLED"]),
                  "sequence": draw.randint(0, 100)}
        event.add("uid", values["uid"])
        event.add("dtstamp", datetime(2026, 1, 1, tzinfo=timezone.utc))
        event.add("dtstart", start)
        event.add("dtend", end)
        event.add("summary", values["title"])
        event.add("location", values["location"])
        event.add("description", values["notes"])
        event.add("geo", (latitude, longitude))
        event.add("status", values["status"])
        event.add("sequence", values["sequence"])
        made.add_component(event)
        said.append(values | {"start": int(start.timestamp()), "end": int(end.timestamp()),
                              "isAllDay": False, "point": [latitude, longitude]})
    made.add_missing_timezones()
    return made.to_ical().decode(), said


def contact(draw: random.Random) -> tuple[str, dict]:
    """A contact by vobject: a vCard 3."""
    photo = bytes([0xFF, 0xD8, 0xFF]) + draw.randbytes(draw.randint(1, 300))
    said = {"uid": f"{draw.getrandbits(64)}", "name": text(draw, 12),
            "notes": text(draw, 80, lines=True), "photo": base64.b64encode(photo).decode()}
    card = vobject.vCard()
    card.add("uid").value = said["uid"]
    card.add("fn").value = said["name"]
    card.add("n").value = vobject.vcard.Name(family="Kim", given="Mina")
    card.add("note").value = said["notes"]
    picture = card.add("photo")
    picture.encoding_param, picture.type_param, picture.value = "B", "JPEG", photo
    return card.serialize(), said


def steps(draw: random.Random) -> list[list[dict]]:
    """One to three parts of a track."""
    parts = []
    for _ in range(draw.randint(1, 3)):
        part = []
        for _ in range(draw.randint(2, 20)):
            latitude, longitude = point(draw)
            part.append({"latitude": latitude, "longitude": longitude,
                         "time": float(draw.randint(0, 4_000_000_000))})
        parts.append(part)
    return parts


def track(draw: random.Random) -> tuple[str, dict]:
    """A track by gpxpy."""
    said = {"name": text(draw, 20), "segments": steps(draw)}
    made = gpxpy.gpx.GPX()
    walk = gpxpy.gpx.GPXTrack(name=said["name"])
    made.tracks.append(walk)
    for part in said["segments"]:
        segment = gpxpy.gpx.GPXTrackSegment()
        segment.points = [
            gpxpy.gpx.GPXTrackPoint(
                step["latitude"], step["longitude"], elevation=3.5,
                time=datetime.fromtimestamp(step["time"], timezone.utc)) for step in part]
        walk.segments.append(segment)
    return made.to_xml("1.1"), said


def feature(draw: random.Random) -> tuple[str, dict]:
    """A track by geojson."""
    said = {"name": text(draw, 20), "segments": steps(draw)}
    lines = [[(step["longitude"], step["latitude"], 12.5) for step in part]
             for part in said["segments"]]
    times = [[datetime.fromtimestamp(step["time"], timezone.utc).isoformat() for step in part]
             for part in said["segments"]]
    walk = geojson.Feature(geometry=geojson.MultiLineString(lines),
                           properties={"name": said["name"], "coordTimes": times})
    return geojson.dumps(geojson.FeatureCollection([walk])), said


def main() -> None:
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    writers = {"ics": calendar, "vcf": contact, "gpx": track, "geojson": feature}
    for number in range(count):
        for ending, write in writers.items():
            made, said = write(random.Random(f"{ending} {number}"))
            path = folder / f"{number}.{ending}"
            path.write_bytes(made.encode())
            path.with_name(path.name + ".json").write_text(json.dumps(said, sort_keys=True))


if __name__ == "__main__":
    main()
