"""Data and scripts in an HTML page: JSON that no text can break out of, names for a content security policy."""

import base64
import hashlib
import json
import re
from typing import Any

_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def embedded_json(value: Any) -> str:
    """Compact JSON on one line that cannot end, or open anything in, the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def policy_source(content: str) -> str:
    """An inline script or style, as a content security policy names it: `'sha256-...'`."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
