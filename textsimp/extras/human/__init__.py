"""Human evaluation (section 5.3.2) and a crowd's gold links (section 3.1): sheets out, ratings in, summaries."""
