"""The aligner that learns small networks over a frozen encoder: one encoder pass for each sentence, none for a pair."""
