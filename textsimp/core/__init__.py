"""The base of every other part: records, files, parameters, errors, results."""
