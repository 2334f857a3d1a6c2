"""Window tests: files for other programs."""
import tempfile
from pathlib import Path

from accessible import until
from preference_tests import save_as
from promise_tests import lunch_is_promised
from stage import expect, stage


def test_saving_for_other_programs():
    with stage("mates", before=lunch_is_promised) as on, tempfile.TemporaryDirectory() as folder:
        contact, event = Path(folder) / "mina.vcf", Path(folder) / "lunch.ics"
        on.frame.press("Mates")
        on.frame.press("More for Mina")
        on.frame.press("Save as a contact…")
        save_as(on, contact)
        until(contact.exists, "the contact")
        expect("FN:Mina\r\n" in contact.read_bytes().decode(), "the contact has no name")
        on.frame.press("Promises")
        on.frame.press("Lunch")
        on.frame.press("More for Lunch")
        on.frame.press("Save for a calendar…")
        save_as(on, event)
        until(event.exists, "the event")
        expect("SUMMARY:Lunch\r\n" in event.read_bytes().decode(), "the event has no title")
