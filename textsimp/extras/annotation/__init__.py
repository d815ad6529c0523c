"""Annotation of document pairs by people (Jiang et al. 2020, section 3.1): the page, what comes back, agreement."""
