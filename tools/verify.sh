#!/usr/bin/env bash
# The committed numbers computed again in a clean clone, by the environment whose `python` is first on the PATH:
#
#   bash tools/verify.sh         all of the default experiment, and of `published`
#   bash tools/verify.sh cheap   the whole experiment `smoke`; then of the others what costs seconds
#
# `published` needs TEXTSIMP_MIRROR, the folder of a mirror of the public data, and is left out without.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git clone --quiet --no-hardlinks . "$scratch/clone"
cd "$scratch/clone"
cp -R reports "$scratch/committed"

if [ "${1:-}" = cheap ]; then
    python -m textsimp.core.params experiment=smoke
    python tools/repro.py </dev/null
    python tools/summary.py reports
    git checkout --quiet . # the default experiment again
fi

# The committed reports are moved away, so that every number that is compared was computed here. The kept experiments
# stay: they come from files that a clean clone does not have.
find reports -type f ! -name .gitkeep ! -path 'reports/experiments/*' -delete
if [ "${1:-}" = cheap ]; then
    python -m dvc repro --quiet load_splits
    git diff --exit-code --stat dvc.lock # raw data and splits have the committed digests
    rm -rf models/default
    mkdir models/default
    cp -R textsimp/alignment/fitted/frozen_crf* models/default # as they are shipped: `train_default` takes minutes
    python -m dvc repro --quiet --single-item evaluate_default@default align_shipped@generated audit@generated build_corpus@generated
    python tools/lexical_rows.py data/splits reports
    python tools/check_metrics.py --part "$scratch/committed" reports
else
    python tools/repro.py </dev/null
    cp "$scratch/committed/machine.json" reports/
    python tools/ship.py --check
    python tools/check_metrics.py "$scratch/committed" reports
fi

[ -n "${TEXTSIMP_MIRROR:-}" ] || exit 0
# the leaderboard, and which metric agrees with people, take minutes
[ "${1:-}" = cheap ] && chosen='published=[jiang2020,jiang2020_newsela]' || chosen=
python -m textsimp.core.params experiment=published "sources.mirror=$TEXTSIMP_MIRROR" $chosen
python tools/repro.py </dev/null
python tools/keep.py --machine here --time now --to "$scratch/published"
python tools/check_metrics.py --part "$scratch/committed/experiments/published" "$scratch/published"
