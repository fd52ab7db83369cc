// No page has a serious fault of accessibility, in either language; and both languages read whole.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterEach, test } from "node:test";
import { button, heading } from "./judging.js";
import { stage } from "./server.js";

const here = stage();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const words = (language) =>
  JSON.parse(readFileSync(new URL(`../../lang/${language}.json`, import.meta.url), "utf8"));

afterEach(() => assert.deepEqual(here.troubles(), [], "a page complained"));

/** The page has one `main`, one `h1`, the language it should, and nothing that axe calls serious. */
async function assertAccess(page, language, what) {
  assert.equal(await page.locator("html").getAttribute("lang"), language, what);
  assert.equal(await page.getByRole("main").count(), 1, what);
  assert.equal(await heading(page).count(), 1, what);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const lines = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  assert.deepEqual(lines, [], what);
}

/**
 * What a screen reader is told is as it was when somebody last looked at it; `PARTITA_BLESS=1` writes it anew.
 */
async function assertReads(page, language, what) {
  const file = new URL(`snapshots/${what}.${language}.yml`, import.meta.url);
  const read = `${await page.locator("body").ariaSnapshot()}\n`;
  if (process.env.PARTITA_BLESS) {
    mkdirSync(new URL("snapshots/", import.meta.url), { recursive: true });
    writeFileSync(file, read);
  }
  assert.equal(read, readFileSync(file, "utf8"), `${what} reads otherwise in ${language}`);
}

/** A window in which axe is there before the page. */
async function open(options = {}) {
  const opened = await here.open({ ...options });
  await opened.context.addInitScript(axe);
  return opened;
}

test("both languages have the same words, and the same values in them", () => {
  const flat = (value, path = "") =>
    typeof value === "string"
      ? [[path, (value.match(/\{\w+\}/g) ?? []).sort().join()]]
      : Object.entries(value).flatMap(([key, part]) => flat(part, `${path}/${key}`));
  assert.deepEqual(Object.fromEntries(flat(words("es"))), Object.fromEntries(flat(words("en"))));
});

for (const language of ["en", "es"]) {
  const w = words(language);
  const at = (link) => {
    const url = new URL(link);
    url.searchParams.set("lang", language);
    return url.href;
  };

  for (const scheme of ["light", "dark"]) {
    test(`the judge's pages in ${language}, ${scheme}`, async () => {
      const campaign = await here.server.campaign({
        name: `judge-${language}-${scheme}`,
        queries: 2,
        items: 2,
        settings: { votes: 2, decide: "majority" },
        kinds: ["preference", "ranking", "grading"],
        consent: { version: "1", text: { en: "We keep your answers.", es: "Guardamos sus respuestas." } },
        judging: { hear: "none", mix: false },
      });
      const { context, page } = await open({ colorScheme: scheme });
      for (const kind of ["preference", "ranking", "grading"]) {
        await page.goto(at(await campaign.link(kind)));
        await button(page, w.start.start).waitFor();
        await assertAccess(page, language, `start, ${kind}`);
        await page.getByRole("checkbox", { name: w.start.consent }).check();
        await button(page, w.start.start).click();
        await heading(page).filter({ hasText: w.task.question.replace("{n}", "1") }).waitFor();
        await assertAccess(page, language, kind);
        if (kind === "ranking") {
          await button(page, w.ranking.melody.up.replace("{n}", "2")).click();
          await button(page, w.ranking.melody.up.replace("{n}", "1")).click();
          await button(page, w.ranking.melody.equal.replace("{n}", "1")).click();
          await assertAccess(page, language, "a ranking with equals");
        }
        await button(page, w.task.report).click();
        await assertAccess(page, language, `report, ${kind}`);
        await button(page, w.report.cancel).click();
      }
      await page.goto(at(await campaign.link()));
      await page.getByRole("checkbox", { name: w.start.consent }).check();
      await button(page, w.start.start).click();
      await page.getByRole("radio", { name: w.preference.equal }).check();
      await button(page, w.task.save).click();
      await heading(page).filter({ hasText: w.task.new_original }).waitFor();
      await assertAccess(page, language, "break");
      await button(page, w.task.continue).click();
      await button(page, w.task.stop).click();
      await assertAccess(page, language, "stop");
      await page.getByRole("dialog").getByRole("button", { name: w.stop.stop }).click();
      await heading(page).filter({ hasText: w.end.heading }).waitFor();
      await page.getByLabel(w.end.code).waitFor();
      await assertAccess(page, language, "end");
      await page.goto(at(`${here.server.url}/j/nowhere#invite=0`));
      await heading(page).filter({ hasText: w.trouble.link_heading }).waitFor();
      await assertAccess(page, language, "no link");
      await context.close();
    });
  }

  test(`the organiser's pages in ${language}`, async () => {
    const campaign = await here.server.campaign({ name: `organise-${language}`, show: "text", queries: 2 });
    const judge = await open();
    await judge.page.goto(at(await campaign.link()));
    await button(judge.page, w.start.start).click();
    await judge.page.getByRole("radio", { name: w.preference.a }).check();
    await judge.page.getByRole("textbox", { name: w.task.comment }).fill("A comment");
    await button(judge.page, w.task.save).click();
    await judge.page.locator("#status").filter({ hasText: w.status.saved }).waitFor();
    await judge.context.close();
    const { context, page } = await open();
    await page.goto(at(`${here.server.url}/organise`));
    await page.getByRole("textbox", { name: w.organise.token }).fill(here.server.token);
    await assertAccess(page, language, "sign in");
    await button(page, w.organise.sign_in).click();
    await heading(page).filter({ hasText: w.organise.title }).waitFor();
    await assertAccess(page, language, "all campaigns");
    await page.getByRole("link", { name: campaign.name }).click();
    for (const name of ["progress", "lists", "people", "links", "reports", "log", "downloads"]) {
      await page.getByRole("tab", { name: w.organise.tabs[name], exact: true }).click();
      await page.getByRole("heading", { level: 2, name: w.organise[name].heading, exact: true }).waitFor();
      await page.waitForLoadState("networkidle");
      await assertAccess(page, language, name);
    }
    await button(page, w.organise.extend).click();
    await assertAccess(page, language, "extend");
    await context.close();
  });
}

for (const language of ["en", "es"]) {
  test(`what a screen reader is told in ${language}`, async () => {
    const w = words(language);
    const campaign = await here.server.campaign({
      name: `reader-${language}`,
      items: 2,
      title: "The reader",
      kinds: ["preference", "ranking", "grading"],
      consent: { version: "1", text: { en: "We keep your answers.", es: "Guardamos sus respuestas." } },
    });
    const { context, page } = await here.open();
    for (const kind of ["preference", "ranking", "grading"]) {
      const link = new URL(await campaign.link(kind));
      link.searchParams.set("lang", language);
      await page.goto(link.href);
      await button(page, w.start.start).waitFor();
      if (kind === "preference") await assertReads(page, language, "start");
      await page.getByRole("checkbox", { name: w.start.consent }).check();
      await button(page, w.start.start).click();
      await heading(page).filter({ hasText: w.task.question.replace("{n}", "1") }).waitFor();
      await assertReads(page, language, kind);
    }
    await context.close();
  });
}

test("the first page is plain", async () => {
  const { context, page } = await open();
  await page.goto(here.server.url);
  await assertAccess(page, "en", "first page");
  await page.getByRole("link").click();
  await page.getByRole("textbox", { name: "Access token" }).waitFor();
  await context.close();
});

test("who resumes keeps their language, and can change it on the first page", async () => {
  const campaign = await here.server.campaign({ name: "resumed", show: "text" });
  const { context, page } = await here.open({ locale: "es-ES" });
  const link = await campaign.link();
  await page.goto(link);
  await button(page, "Empezar").waitFor();
  await button(page, "English").click();
  await button(page, "Start").waitFor();
  await page.reload();
  await button(page, "Start").waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "en");
  await context.close();
});
