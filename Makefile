# What people do here. Everything needs only a Rust toolchain (with rustfmt and clippy), save
# `bench`, which also wants Python 3 for the peers.

# How long the readers are fed broken files.
FUZZ_SECONDS ?= 60

.PHONY: demo test check fuzz survey bench

demo:
	cargo run --release --quiet -- demo

# All that must hold: style, lints, documentation, tests, examples in the documentation, fuzzing.
test: check
	PARTITA_FUZZ_SECONDS=$(FUZZ_SECONDS) cargo test --workspace --locked

check:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items --locked

fuzz:
	PARTITA_FUZZ_SECONDS=$(FUZZ_SECONDS) cargo test -p partita-formats --locked --test fuzz -- --nocapture

# The long searches behind the guard of the fast Mann-Whitney decision, and the rates that the
# documentation of screening and of trust states: some minutes.
survey:
	cargo test --release -p partita-stats --lib --locked -- --ignored --nocapture
	cargo test --release -p partita-judging --tests --locked -- --ignored --nocapture

bench:
	bench/run evaluate
