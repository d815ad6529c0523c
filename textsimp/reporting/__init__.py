"""The report: every table of Jiang et al. 2020 with ours beside the published, figures, one HTML page."""
