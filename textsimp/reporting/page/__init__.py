"""The HTML page: template, styles, scripts, and what they show of documents and outputs."""
