import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { assertFits, begin, button, comes, heading, pass, radio, status } from "./judging.js";
import { stage } from "./server.js";

const here = stage();

afterEach(() => assert.deepEqual(here.troubles(), [], "a page complained"));

const list = (page, name) => page.getByRole("list", { name, exact: true });
const order = (page, name) =>
  list(page, name).getByRole("listitem").evaluateAll((items) => items.map((item) => item.getAttribute("aria-label")));

/** Hears the original and all melodies. */
async function hearAll(page, melodies) {
  const names = ["Play the original", ...Array.from({ length: melodies }, (_, n) => `Play melody ${n + 1}`)];
  for (const name of names) {
    const clip = page.locator(".clip").filter({ has: button(page, name) });
    if (await clip.getByText("heard").isVisible()) continue;
    await button(page, name).click();
    await clip.getByText("heard").waitFor();
  }
}

test("a ranking by keys: moved, made equal, left out, saved", async () => {
  const campaign = await here.server.campaign({ name: "keys", items: 4, kinds: ["ranking"] });
  const { context, page } = await here.open();
  await begin(page, await campaign.link("ranking"));
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Play the original");
  assert.deepEqual(await order(page, "Unranked"), ["Melody 1", "Melody 2", "Melody 3", "Melody 4"]);
  const item = (n) => page.getByRole("listitem", { name: `Melody ${n}`, exact: true });
  await item(4).focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Play melody 4", pressed: true }).waitFor();
  for (const n of [1, 2, 3]) {
    await item(n).focus();
    await page.keyboard.press("Alt+ArrowUp");
  }
  assert.deepEqual(await order(page, "Ranking"), ["Melody 1", "Melody 2", "Melody 3"]);
  // The focus stays with what was moved.
  await page.keyboard.press("Alt+ArrowUp");
  await page.keyboard.press("Alt+ArrowUp");
  assert.deepEqual(await order(page, "Ranking"), ["Melody 3", "Melody 1", "Melody 2"]);
  await page.keyboard.press("Alt+ArrowDown");
  await page.keyboard.press("Alt+ArrowUp");
  await item(1).focus();
  await page.keyboard.press("=");
  await page.getByText("place 1 of 2, shared").first().waitFor();
  await item(2).focus();
  await page.keyboard.press("u");
  assert.deepEqual(await order(page, "Ranking"), ["Melody 3", "Melody 1"]);
  assert.deepEqual(await order(page, "Unranked"), ["Melody 4", "Melody 2"]);
  await status(page, "Saved");
  await hearAll(page, 4);
  await button(page, "Save ranking").press("Enter");
  await heading(page).filter({ hasText: "Thank you" }).waitFor();
  const [ranked] = await campaign.events("ranked");
  assert.equal(ranked.groups.length, 1);
  assert.equal(ranked.groups[0].length, 2);
  assert.equal(ranked.unranked.length, 2);
  await context.close();
});

test("a ranking by buttons is saved as it goes: a reload and another device have it", async () => {
  const campaign = await here.server.campaign({ name: "drafts", show: "text", kinds: ["ranking"] });
  const { context, page } = await here.open();
  const link = await campaign.link("ranking");
  await begin(page, link);
  await button(page, "Move item 3 up").click();
  await button(page, "Move item 1 up").click();
  await button(page, "Item 1 equals the one above").click();
  await button(page, "Move item 2 up").click();
  await button(page, "Leave item 2 unranked").click();
  await status(page, "Saved");
  await page.reload();
  await comes(page);
  assert.deepEqual(await order(page, "Ranking"), ["Item 3", "Item 1"]);
  const other = await here.open();
  await begin(other.page, link);
  assert.deepEqual(await order(other.page, "Ranking"), ["Item 3", "Item 1"]);
  // Both change it: the later one wins, and the other is told.
  await button(other.page, "Move item 2 up").click();
  await status(other.page, "Saved");
  await button(page, "Leave item 1 unranked").click();
  await status(page, "Your ranking was changed in another window. This is the newer version.");
  assert.deepEqual(await order(page, "Ranking"), ["Item 3", "Item 1", "Item 2"]);
  await button(page, "Save ranking").click();
  await heading(page).filter({ hasText: "Thank you" }).waitFor();
  const [ranked] = await campaign.events("ranked");
  assert.deepEqual(ranked.groups.map((group) => group.length), [2, 1]);
  await context.close();
  await other.context.close();
});

test("a ranking by dragging: to a place, onto another, and out again", async () => {
  const campaign = await here.server.campaign({ name: "drag", show: "text", kinds: ["ranking"] });
  const { context, page } = await here.open();
  await begin(page, await campaign.link("ranking"));
  const head = (n) => page.getByRole("listitem", { name: `Item ${n}`, exact: true }).locator(".head");
  const drag = async (n, x, y) => {
    const from = await head(n).boundingBox();
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 5 });
    await page.mouse.up();
  };
  const ranking = await list(page, "Ranking").boundingBox();
  await drag(2, ranking.x + 40, ranking.y + 10);
  assert.deepEqual(await order(page, "Ranking"), ["Item 2"]);
  const box = (n) => page.getByRole("listitem", { name: `Item ${n}`, exact: true }).boundingBox();
  let at = await box(2);
  await drag(1, at.x + 40, at.y + 4);
  assert.deepEqual(await order(page, "Ranking"), ["Item 1", "Item 2"]);
  at = await box(2);
  await drag(3, at.x + 40, at.y + at.height / 2);
  await page.getByText("place 2 of 2, shared").first().waitFor();
  const unranked = await list(page, "Unranked").boundingBox();
  await drag(1, unranked.x + 40, unranked.y + 10);
  assert.deepEqual(await order(page, "Ranking"), ["Item 2", "Item 3"]);
  assert.deepEqual(await order(page, "Unranked"), ["Item 1"]);
  await context.close();
});

test("a ranking on a phone fits, and its handle is dragged by touch", async () => {
  const campaign = await here.server.campaign({ name: "touch", kinds: ["ranking"] });
  const { context, page } = await here.open({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  await begin(page, await campaign.link("ranking"));
  await assertFits(page);
  await button(page, "Move melody 1 up").tap();
  const touch = await context.newCDPSession(page);
  const handle = page.getByRole("listitem", { name: "Melody 2", exact: true }).locator(".handle");
  await handle.scrollIntoViewIfNeeded();
  const from = await handle.boundingBox();
  const to = await page.getByRole("listitem", { name: "Melody 1", exact: true }).boundingBox();
  const at = (type, x, y) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
  await at("touchStart", from.x + 20, from.y + 20);
  for (let step = 1; step <= 5; step += 1) {
    await at("touchMove", from.x + 20, from.y + 20 + ((to.y + to.height / 2 - from.y - 20) * step) / 5);
  }
  await at("touchEnd");
  await page.getByText("place 1 of 1, shared").first().waitFor();
  await assertFits(page);
  await context.close();
});

test("grading: both are heard, then a word and a number", async () => {
  const judging = { per_person: 1 };
  const campaign = await here.server.campaign({ name: "grades", items: 2, kinds: ["grading"], judging });
  const { context, page } = await here.open();
  await begin(page, await campaign.link("grading"));
  await page.getByRole("radiogroup", { name: "How similar is it?" }).waitFor();
  assert.ok(await radio(page, "Somewhat similar").isDisabled());
  for (const name of ["Play the original", "Play the variation"]) {
    await button(page, name).click();
    await page.getByRole("figure").filter({ has: button(page, name) }).getByText("heard").waitFor();
  }
  await radio(page, "Somewhat similar").check();
  await button(page, "Save and continue").click();
  await page.getByRole("alert").filter({ hasText: "Set the fine score first." }).waitFor();
  const slider = page.getByRole("slider", { name: "Fine score" });
  await slider.fill("6.3");
  await button(page, "Save and continue").click();
  await heading(page).filter({ hasText: "Thank you" }).waitFor();
  const [graded] = await campaign.events("graded");
  assert.deepEqual([graded.broad, graded.fine], ["SS", 6.3]);
  await context.close();
});

test("grading by keys alone, of texts", async () => {
  const campaign = await here.server.campaign({ name: "bykeys", show: "text", items: 2, kinds: ["grading"] });
  const { context, page } = await here.open();
  await begin(page, await campaign.link("grading"));
  for (const key of ["v", "n"]) {
    const before = await heading(page).textContent();
    await page.keyboard.press(key);
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await pass(page, before);
  }
  await heading(page).filter({ hasText: "Thank you" }).waitFor();
  const graded = await campaign.events("graded");
  assert.deepEqual(graded.map((one) => one.broad), ["VS", "NS"]);
  assert.deepEqual(graded.map((one) => one.fine), [5.1, 5.1]);
  await context.close();
});

test("use_a7: a ranking is not saved before everything was heard", async () => {
  const campaign = await here.server.campaign({ name: "unheard", kinds: ["ranking"] });
  const { context, page } = await here.open();
  await begin(page, await campaign.link("ranking"));
  const said = "Listen to everything to the end; then you can save the ranking.";
  await button(page, "Move melody 1 up").click();
  await button(page, "Play melody 1").click();
  await page.getByRole("listitem", { name: "Melody 1", exact: true }).getByText("heard").waitFor();
  await button(page, "Save ranking").click();
  await page.getByRole("alert").filter({ hasText: said }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Play the original");
  await hearAll(page, 3);
  assert.equal(await page.locator("p.help").filter({ hasText: said }).isVisible(), false);
  assert.equal((await campaign.events("ranked")).length, 0);
  await button(page, "Save ranking").click();
  await heading(page).filter({ hasText: "Thank you" }).waitFor();
  assert.equal((await campaign.events("ranked")).length, 1);
  await context.close();
});

test("use_a7: with `started`, the focus goes to the clip that was not played", async () => {
  const judging = { hear: "started" };
  const campaign = await here.server.campaign({ name: "begun", kinds: ["ranking"], items: 2, judging });
  const { context, page } = await here.open();
  await begin(page, await campaign.link("ranking"));
  for (const name of ["Play the original", "Play melody 1"]) {
    await button(page, name).click();
    await page.getByRole("button", { name, pressed: true }).waitFor();
  }
  await button(page, "Move melody 1 up").click();
  await button(page, "Save ranking").click();
  await page.getByRole("alert").filter({ hasText: "Listen to everything; then you can save the ranking." }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "Play melody 2");
  await button(page, "Play melody 2").click();
  await page.getByRole("button", { name: "Play melody 2", pressed: true }).waitFor();
  await button(page, "Save ranking").click();
  await heading(page).filter({ hasText: "Thank you" }).waitFor();
  await context.close();
});

test("use_a7: a ranking of nothing is saved only after a question", async () => {
  const campaign = await here.server.campaign({ name: "nothing", show: "text", kinds: ["ranking"] });
  const { context, page } = await here.open();
  await begin(page, await campaign.link("ranking"));
  await button(page, "Save ranking").click();
  const dialog = page.getByRole("dialog", { name: "Nothing is ranked. Save it all the same?" });
  await dialog.getByRole("button", { name: "Go back" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal((await campaign.events("ranked")).length, 0);
  await button(page, "Save ranking").click();
  await dialog.getByRole("button", { name: "Save it all the same" }).click();
  await heading(page).filter({ hasText: "Thank you" }).waitFor();
  const [ranked] = await campaign.events("ranked");
  assert.deepEqual([ranked.groups, ranked.unranked.length], [[], 3]);
  await context.close();
});

test("use_a7: a grade is not saved before both were heard", async () => {
  const campaign = await here.server.campaign({ name: "deaf", items: 2, kinds: ["grading"] });
  const { context, page } = await here.open();
  await begin(page, await campaign.link("grading"));
  await page.keyboard.press("v");
  await button(page, "Save and continue").click();
  await page.getByRole("alert").filter({ hasText: "Listen to both to the end; then you can answer." }).waitFor();
  assert.equal((await campaign.events("graded")).length, 0);
  await context.close();
});
