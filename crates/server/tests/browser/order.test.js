// The order of a ranking, without a page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const source = readFileSync(new URL("../../assets/judge/ranking_order.js", import.meta.url), "utf8");
const { RankingOrder } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const KEYS = ["a", "b", "c", "d"];
const of = (...groups) => new RankingOrder(KEYS, { groups, unranked: [] });

test("up and down pass whole groups, and leave a group by its edge", () => {
  const order = of(["a", "b"], ["c"], ["d"]);
  order.up("c");
  assert.deepEqual(order.groups, [["c"], ["a", "b"], ["d"]]);
  order.up("b");
  assert.deepEqual(order.groups, [["c"], ["b"], ["a"], ["d"]]);
  order.down("c");
  assert.deepEqual(order.groups, [["b"], ["c"], ["a"], ["d"]]);
  assert.equal(order.up("b"), false);
  assert.equal(order.down("d"), false);
});

test("equal joins the one above, once", () => {
  const order = of(["a"], ["b"], ["c"], ["d"]);
  assert.ok(order.equal("c"));
  assert.deepEqual(order.groups, [["a"], ["b", "c"], ["d"]]);
  assert.equal(order.equal("c"), false, "it is equal to the one above already");
  assert.equal(order.equal("a"), false, "there is none above");
});

test("an unranked one goes to the last place, or to the last group", () => {
  const order = new RankingOrder(KEYS);
  assert.equal(order.equal("a"), false);
  order.up("b");
  order.up("a");
  order.equal("d");
  assert.deepEqual(order.fields, { groups: [["b"], ["a", "d"]], unranked: ["c"] });
});

test("a draft that lacks or repeats keys, or has others, becomes whole", () => {
  const order = new RankingOrder(KEYS, { groups: [["b", "x"], ["x"]], unranked: ["b", "c"] });
  assert.deepEqual(order.fields, { groups: [["b"]], unranked: ["c", "a", "d"] });
});

test("whatever is done, every key is there once and no group is empty", () => {
  let seed = 7;
  const random = (below) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const order = new RankingOrder(KEYS);
  for (let step = 0; step < 2_000; step += 1) {
    const key = KEYS[random(4)];
    const ranked = order.groups.flat().filter((other) => other !== key);
    const other = ranked.length > 0 ? ranked[random(ranked.length)] : null;
    const acts = ["up", "down", "equal", "unrank", "before", ...(other === null ? [] : ["join"])];
    order[acts[random(acts.length)]](key, other);
    const all = [...order.groups.flat(), ...order.unranked];
    assert.deepEqual([...all].sort(), KEYS);
    assert.ok(order.groups.every((group) => group.length > 0));
  }
});
