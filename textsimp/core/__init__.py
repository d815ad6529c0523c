"""What every other part builds on: records, files, parameters, errors, results."""
