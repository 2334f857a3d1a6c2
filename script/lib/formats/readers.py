"""What files say by the parsers of others. Runs in the environment with these parsers:

    python3 readers.py FILE...    one line of JSON for each file

The JSON has the members that `waggle-formats` prints too.
"""

import base64
import io
import json
import sys
from pathlib import Path

import geojson
import gpxpy
import icalendar
import vobject


def event(part: icalendar.Event) -> dict:
    """An event, by icalendar."""
    place = part.get("GEO")
    # The package names the numbers by their names in latitude and longitude, or as text.
    point = [float(each) for each in place.to_ical().split(";")] if place is not None else None
    words = {name: str(part[name]) if name in part else None
             for name in ("UID", "SUMMARY", "LOCATION", "DESCRIPTION", "STATUS")}
    return {
        "uid": words["UID"], "title": words["SUMMARY"],
        "start": int(part.decoded("DTSTART").timestamp()),
        "end": int(part.decoded("DTEND").timestamp()), "isAllDay": False,
        "location": words["LOCATION"], "point": point, "notes": words["DESCRIPTION"],
        "status": words["STATUS"], "sequence": int(part["SEQUENCE"]),
    }


def events(text: str) -> list[dict]:
    """The events of a calendar, by icalendar. vobject must read as many, with the same titles."""
    found = [event(part) for part in icalendar.Calendar.from_ical(text).walk("VEVENT")]
    other = vobject.readOne(text)
    titles = [each.summary.value for each in other.contents.get("vevent", [])]
    if titles != [each["title"] for each in found]:
        raise ValueError(f"vobject reads the titles {titles}")
    return found


def contact(text: str) -> dict:
    """A contact, by vobject."""
    card = vobject.readOne(text)
    head, _, photo = photo_line(text).partition(",")
    if head not in ("", "data:image/jpeg;base64"):
        raise ValueError(f"the photo begins with {head}")
    return {
        "uid": card.uid.value, "name": card.fn.value,
        "dog": card.contents["x-waggle-dog-name"][0].value, "notes": card.note.value,
        "photo": base64.b64encode(base64.b64decode(photo)).decode(),
    }


def photo_line(text: str) -> str:
    """The value of the photo, by vobject's parser of lines: its contacts are those of vCard 3, in
    which a photo is no address with a comma."""
    for line, number in vobject.base.getLogicalLines(io.StringIO(text)):
        name, _, value, _ = vobject.base.parseLine(line, number)
        if name.upper() == "PHOTO":
            return value
    return ""


def track(text: str) -> dict:
    """A track, by gpxpy."""
    walk = gpxpy.parse(text).tracks[0]
    return {"name": walk.name, "segments": [
        [{"latitude": point.latitude, "longitude": point.longitude,
          "time": point.time.timestamp()} for point in segment.points]
        for segment in walk.segments]}


def feature(text: str) -> dict:
    """A track, by geojson, which checks its geometry."""
    collection = geojson.loads(text)
    if not collection.is_valid:
        raise ValueError(f"invalid: {collection.errors()}")
    walk = collection.features[0]
    lines, times = walk.geometry.coordinates, walk.properties["coordTimes"]
    if walk.geometry.type == "LineString":
        lines, times = [lines], [times]
    return {"name": walk.properties["name"], "segments": [
        [{"latitude": latitude, "longitude": longitude, "time": moment(time)}
         for (longitude, latitude), time in zip(line, of_line)]
        for line, of_line in zip(lines, times)]}


def moment(text: str) -> float:
    """The seconds since 1970 of a time in ISO 8601."""
    return gpxpy.gpxfield.parse_time(text).timestamp()


# Its coordinates are rounded to six decimals by default.
geojson.geometry.DEFAULT_PRECISION = 7
READERS = {".ics": events, ".vcf": contact, ".gpx": track, ".geojson": feature}


def main() -> None:
    for name in sys.argv[1:]:
        path = Path(name)
        text = path.read_bytes().decode()
        try:
            said = READERS[path.suffix](text)
        except Exception as error:
            said = {"fault": f"{type(error).__name__}: {error}"}
        print(json.dumps(said, sort_keys=True))


if __name__ == "__main__":
    main()
