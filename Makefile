# What people do here. Everything needs only a Rust toolchain (with rustfmt and clippy), save `bench` and
# `witnesses`, which also want Python 3 for other programs, and `server`, which wants PostgreSQL, Node.js and
# Chromium.

# How long `make explore` looks for something new.
EXPLORE_SECONDS ?= 300

.PHONY: demo quick test check package data examples witnesses server explore fuzz survey bench

demo:
	cargo run --release --quiet -- demo

# Formatting, lints and unit tests of the crates that differ from main: under two minutes after a warm build.
quick:
	.ci/quick

# All that must hold: style, lints, documentation, tests, examples in the documentation and beside
# it. Every run draws the same cases, so that it says the same every time. It installs what it needs and names
# that first; `cargo test --workspace` runs without.
test:
	@.ci/announce
	$(MAKE) check
	$(MAKE) package
	cargo test --workspace --locked
	cargo test --package partita-cli --no-default-features --test features --locked
	cargo test --package partita-judging --features best-worst --test fourth_kind --locked
	$(MAKE) examples
	$(MAKE) witnesses
	$(MAKE) server
ifdef PARTITA_DATA
	$(MAKE) data
else
	@echo "NOTICE: the tests on real data were not run: PARTITA_DATA does not name its folder (see CONTRIBUTING.md)."
endif

check:
	.ci/comments
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo clippy --package partita-cli --no-default-features --locked -- -D warnings
	cargo check --workspace --all-targets --features partita-judging/best-worst --locked
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items --locked

# Checks that every published crate can be packaged; compiles nothing.
UNPUBLISHED = $(shell grep -l '^publish = false' crates/*/Cargo.toml | \
	xargs -r awk '/^name = / && !seen[FILENAME]++ { gsub(/"/, "", $$3); print $$3 }')
package:
	cargo package --workspace --no-verify --allow-dirty --locked --quiet $(UNPUBLISHED:%=--exclude %)

# The tests on real data, which is looked for in the folder PARTITA_DATA.
data:
	@test -n "$(PARTITA_DATA)" || { echo "PARTITA_DATA does not name the folder of the data (see CONTRIBUTING.md)." >&2; exit 1; }
	PARTITA_DATA="$(PARTITA_DATA)" cargo test --workspace --test program --test data --locked -- --ignored real_data::

# The server on PostgreSQL, killed and beside another, on a full disk, and its pages in a browser. What these
# need is installed where that is allowed; where it is not, it is said what is left out, which CI=true forbids.
server:
	.ci/with-postgres sh -c 'cargo test --locked -p partita-server --lib --test integration -- --ignored postgres_ && \
		cargo test --locked -p partita-cli --test program -- --ignored postgres_ --test-threads=1'
	.ci/with-disk cargo test --locked -p partita-server --test integration -- --ignored disk_
	.ci/browser

# The examples that have little to do; `cargo test` compiles all of them.
examples:
	mkdir -p target/examples
	for example in score_and_compare list_from_rankings campaign power_study; do \
		cargo run --quiet --locked -p partita --example $$example >target/examples/$$example.txt || exit 1; \
	done
	cargo run --quiet --locked -p partita-report --example gallery -- target/examples/gallery
	printf '2.5 10 20\n' >target/examples/tukey.txt
	cargo run --quiet --locked -p partita-stats --example bench_stats -- tukey target/examples/tukey.txt 1
	printf 'left,right,winner\nx,y,left\ny,z,tie\n' >target/examples/votes.csv
	cargo run --quiet --locked -p partita-judging --example bench_judging -- target/examples/votes.csv 1

# What is read of melodies, beside what other programs read; ignored where they cannot be installed.
witnesses:
	.ci/witnesses

# Property tests, fuzzing and killed commands with other seeds every time.
explore:
	.ci/explore $(EXPLORE_SECONDS)

# Broken files for the readers: as many as PARTITA_FUZZ_FILES says, of the seed PARTITA_FUZZ_SEED.
fuzz:
	cargo test -p partita-formats -p partita-melody --locked --test integration fuzz:: -- --nocapture

# The long searches behind the guard of the fast Mann-Whitney decision, and the coverage of the bootstrap
# over assessors that the documentation states: some minutes.
survey:
	cargo test --release -p partita-stats --lib --locked -- --ignored --nocapture
	cargo test --release -p partita-lab --test integration --locked -- --ignored --nocapture

bench:
	bench/run evaluate
