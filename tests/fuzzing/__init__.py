"""Programs that try to break the project: mutated inputs, kills at every file-system event, and races.

`python -m fuzzing` (with tests/ on the path, as `make fuzz` sets it) draws mutated inputs by seed and number,
`python -m fuzzing.kills` and `python -m fuzzing.races` do the others. Each case is replayed by its seed and number.
"""
