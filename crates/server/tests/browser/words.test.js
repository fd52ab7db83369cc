// Words of the judging page: marks of new originals, texts of the campaign, estimates; high contrast; the address bar.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { assertFits, begin, button, comes, heading, radio } from "./judging.js";
import { stage } from "./server.js";

const here = stage();

afterEach(() => assert.deepEqual(here.troubles(), [], "a page complained"));

/** Texts of a campaign about proverbs in two languages. */
const PROVERBS = {
  title: { en: "Proverbs", es: "Refranes" },
  texts: {
    en: {
      question: "Which saying means nearly the same?",
      query: "Proverb",
      item: "Saying",
      a: "A does",
      b: "B does",
      equal: "Both or neither",
    },
    es: { question: "¿Qué dicho significa casi lo mismo?", query: "Refrán", item: "Dicho" },
  },
};

test("use_b6, server_b3: a mark beside the original says that it is new, without a page between", async () => {
  const campaign = await here.server.campaign({ name: "mixed", queries: 3, items: 2, judging: { hear: "none" } });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  const original = page.getByRole("figure", { name: /^Original/ });
  assert.equal(await original.getByText("New", { exact: true }).count(), 0, "the first original is not marked");
  for (const n of [2, 3]) {
    await radio(page, "A is more similar").check();
    await button(page, "Save and continue").click();
    await heading(page).filter({ hasText: `Question ${n}` }).waitFor();
    await original.getByText("New", { exact: true }).waitFor();
    // The focus goes to the first clip, so its button says the same.
    const described = await page.evaluate(() => {
      const id = document.activeElement.getAttribute("aria-describedby");
      return [document.activeElement.textContent, document.getElementById(id)?.textContent];
    });
    assert.deepEqual(described, ["Play the original", "New"]);
  }
  await context.close();
});

test("use_b13: a campaign sets its words in several languages, and only audio asks for music", async () => {
  const campaign = await here.server.campaign({ name: "proverbs", show: "text", queries: 2, ...PROVERBS });
  const { context, page } = await here.open();
  await page.goto(await campaign.link());
  await heading(page).filter({ hasText: /^Proverbs$/ }).waitFor();
  assert.equal(await page.getByRole("textbox").count(), 0, "proverbs need no musical background");
  await button(page, "Start").click();
  await comes(page);
  for (const name of ["Proverb", "Saying A", "Saying B"]) {
    await page.getByRole("figure", { name, exact: true }).waitFor();
  }
  const group = page.getByRole("radiogroup", { name: "Which saying means nearly the same?" });
  const answers = await group.getByRole("radio").evaluateAll((all) => all.map((one) => one.parentElement.textContent));
  assert.deepEqual(answers, ["A does", "B does", "Both or neither"]);
  await button(page, "Report a problem").click();
  const parts = await page.getByLabel("Where is the problem?").locator("option").allTextContents();
  assert.deepEqual(parts.slice(1), ["Proverb", "Saying A", "Saying B"]);
  await context.close();

  const spanish = await here.open({ locale: "es-MX" });
  await spanish.page.goto(await campaign.link());
  await heading(spanish.page).filter({ hasText: /^Refranes$/ }).waitFor();
  await button(spanish.page, "Empezar").click();
  await spanish.page.getByRole("radiogroup", { name: "¿Qué dicho significa casi lo mismo?" }).waitFor();
  await spanish.page.getByRole("figure", { name: "Dicho B", exact: true }).waitFor();
  // What the campaign leaves out has its built-in text.
  await spanish.page.getByRole("radio", { name: "A se parece más" }).waitFor();
  await spanish.context.close();
});

test("use_b13: names of parts are those of clips, rankings and hints too", async () => {
  const texts = { en: { query: "Model", item: "Take", background: "Which bow do you use?" } };
  const campaign = await here.server.campaign({
    name: "takes",
    queries: 2,
    kinds: ["preference", "ranking"],
    judging: { mix: false },
    texts,
  });
  const { context, page } = await here.open({ viewport: { width: 360, height: 740 } });
  await page.goto(await campaign.link());
  await page.getByRole("textbox", { name: "Which bow do you use?" }).waitFor();
  await button(page, "Start").click();
  await comes(page);
  await button(page, "Play Model").waitFor();
  await button(page, "Play Take A").waitFor();
  await page.getByText("Listen to Model, Take A and Take B to the end; then you can answer.").waitFor();
  await assertFits(page);
  await context.close();
  const ranking = await here.open();
  await begin(ranking.page, await campaign.link("ranking"));
  await button(ranking.page, "Play Take 1").waitFor();
  await button(ranking.page, "Move Take 2 up").waitFor();
  await ranking.context.close();
});

test("server_b13: the first page says how much it is, and the bar moves without a limit", async () => {
  const campaign = await here.server.campaign({ name: "estimate", show: "text", queries: 2, items: 3 });
  const { context, page } = await here.open();
  await page.goto(await campaign.link());
  await page.getByText(/^About \d+ questions, about \d+ minutes?\.$/).waitFor();
  await button(page, "Start").click();
  const bar = page.getByRole("progressbar", { name: "Progress" });
  const progress = page.locator("#progress p");
  await comes(page);
  assert.match(await progress.textContent(), /^0 of about \d+ answered$/);
  const share = () => bar.evaluate((element) => element.value / element.max);
  const before = await share();
  const question = await heading(page).textContent();
  await radio(page, "A is more similar").check();
  await button(page, "Save and continue").click();
  await comes(page, question);
  await progress.filter({ hasText: /^1 of about / }).waitFor();
  assert.ok((await share()) > before, "the bar moves");
  await context.close();
});

test("server_b14: high contrast shows what sounds and how far it is", async () => {
  const campaign = await here.server.campaign({ name: "contrast", items: 2, judging: { per_person: 5 } });
  const { context, page } = await here.open({ forcedColors: "active" });
  await begin(page, await campaign.link());
  const play = button(page, "Play the original");
  const style = (selector, name) =>
    page.evaluate(([where, property]) => getComputedStyle(document.querySelector(where))[property], [selector, name]);
  const background = await style(".play", "backgroundColor");
  assert.notEqual(await style(".play .sign", "backgroundColor"), background, "the sign is seen");
  assert.notEqual(await style("progress", "borderTopStyle"), "none");
  const before = await play.evaluate((element) => element.getBoundingClientRect().width);
  await play.click();
  await page.getByRole("button", { name: "Play the original", exact: true, pressed: true }).waitFor();
  const during = await play.evaluate((element) => element.getBoundingClientRect().width);
  assert.ok(during > before, "the word Stop is there");
  await context.close();
});

test("server_c3: the invite leaves the address bar, and a reload goes on", async () => {
  const campaign = await here.server.campaign({ name: "address", show: "text" });
  const { context, page } = await here.open();
  const first = await campaign.link();
  await page.goto(first);
  await button(page, "Start").waitFor();
  assert.equal(page.url(), `${here.server.url}/j/address`);
  assert.equal(await page.evaluate(() => history.length), 2, "no entry of the history has the invite");
  // Another person begins in another window of the same browser.
  const other = await here.window(context);
  await begin(other, await campaign.link());
  assert.equal(other.url(), `${here.server.url}/j/address`);
  const person = (window) => window.evaluate(() => JSON.parse(localStorage.getItem("partita:judge:address")).person);
  const second = await person(other);
  await page.reload();
  await button(page, "Start").waitFor();
  assert.notEqual(await person(page), second, "a window keeps its person");
  await context.close();
});
