"""Human evaluation (F2), Jiang et al. 2020, section 5.3.2: blinded sheets out, ratings in, averages and agreement."""
