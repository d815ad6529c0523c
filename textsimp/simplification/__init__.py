"""Training and running sentence simplifiers (Jiang et al. 2020, section 5.2 and appendix D)."""
