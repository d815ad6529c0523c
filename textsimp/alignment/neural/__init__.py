"""The neural CRF aligner of Jiang et al. 2020, section 2: encoder, CRF, paragraphs, training."""
