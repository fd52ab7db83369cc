import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { begin, button, heading, radio } from "./judging.js";
import { parcel, PNG, stage } from "./server.js";
import { zip } from "./zip.js";

const here = stage();
const SCRIPT = `<img src=x onerror="window.hit=1"><script>window.hit=1</script>`;

afterEach(() => assert.deepEqual(here.troubles(), [], "a page complained"));

test("script in what comes from outside is shown as text and never runs", async () => {
  const show = { text: `text ${SCRIPT}` };
  const item = (name) => ({ item: `${name} ${SCRIPT}`, show });
  const document = {
    name: "script",
    title: `title ${SCRIPT}`,
    instructions: { en: `instructions ${SCRIPT}` },
    texts: { en: { question: `question ${SCRIPT}`, background: `about you ${SCRIPT}` } },
    consent: { version: SCRIPT, text: { en: `consent ${SCRIPT}` } },
    settings: { votes: 1, decide: "majority" },
    lists: [{ query: `query ${SCRIPT}`, show, items: [item("one"), item("two")] }],
    recruiter: {
      name: `panel ${SCRIPT}`,
      id: "id",
      outcomes: { complete: { code: SCRIPT, url: "https://panel.example/{code}" } },
    },
  };
  await here.server.api("POST", "/campaigns", JSON.stringify(document));
  const { context, page } = await here.open();
  const isHit = () => page.evaluate(() => window.hit);
  await page.goto(`${here.server.url}/j/script?id=someone`);
  await page.getByText(`consent ${SCRIPT}`).waitFor();
  await page.getByRole("checkbox").check();
  await page.getByRole("textbox").fill(`background ${SCRIPT}`);
  await button(page, "Start").click();
  await page.getByRole("figure", { name: "Original" }).getByText(`text ${SCRIPT}`).waitFor();
  await page.getByText(`question ${SCRIPT}`).waitFor();
  await radio(page, "A is more similar").check();
  await page.getByRole("textbox", { name: "Comment (optional)" }).fill(`comment ${SCRIPT}`);
  await button(page, "Save and continue").click();
  await heading(page).filter({ hasText: "Thank you" }).waitFor();
  assert.equal(await page.locator("output").textContent(), SCRIPT);
  await page.getByRole("link", { name: `Return to panel ${SCRIPT}` }).waitFor();
  assert.equal(await isHit(), undefined);

  await page.goto(`${here.server.url}/organise`);
  await page.getByRole("textbox", { name: "Access token" }).fill(here.server.token);
  await button(page, "Sign in").click();
  await page.getByRole("cell", { name: `title ${SCRIPT}` }).waitFor();
  await page.getByRole("link", { name: "script" }).click();
  for (const [tab, text] of [
    ["Progress", `query ${SCRIPT}`],
    ["Lists", `one ${SCRIPT}`],
    ["People", "someone"],
    ["Links", `Address for panel ${SCRIPT}`],
    ["Log", `comment ${SCRIPT}`],
  ]) {
    await page.getByRole("tab", { name: tab, exact: true }).click();
    await page.getByRole("tabpanel").getByText(text).first().waitFor();
    assert.equal(await isHit(), undefined, tab);
  }
  await context.close();
});

test("script in notes, reasons, alternative texts and names of files stays text too", async () => {
  const { document } = parcel({ name: "more", show: "image", items: 4 });
  for (const { show } of [document.lists[0], ...document.lists[0].items]) {
    Object.assign(show, { image: "../one.png", alt: `alt ${SCRIPT}` });
  }
  const packed = () => zip({ "campaign.json": Buffer.from(JSON.stringify(document)), "../one.png": PNG });
  await here.server.api("POST", "/campaigns", packed(), "application/zip");
  const campaign = (path, body) => here.server.api("POST", `/campaigns/more/${path}`, JSON.stringify(body));
  const made = JSON.parse(await campaign("invites", { kind: "preference", label: `label ${SCRIPT}` }));
  const { context, page } = await here.open();
  const isHit = () => page.evaluate(() => window.hit);
  await begin(page, made.invites[0].link);
  await page.getByRole("img", { name: `alt ${SCRIPT}` }).first().waitFor();
  await button(page, "Report a problem").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Where is the problem?").selectOption("Original");
  await dialog.getByRole("radio").first().check();
  await dialog.getByRole("textbox").fill(`note ${SCRIPT}`);
  await button(page, "Send report").click();
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await isHit(), undefined);
  const { people } = await here.server.get("/campaigns/more/people");
  await campaign(`people/${people[0].person}/exclude`, { reason: `reason ${SCRIPT}` });

  await page.goto(`${here.server.url}/organise`);
  await page.getByRole("textbox", { name: "Access token" }).fill(here.server.token);
  await button(page, "Sign in").click();
  // A name of a file that is told back, in the document and of the zip itself.
  document.name = "bad";
  document.lists[0].show = { image: `${SCRIPT}.png` };
  const file = { name: `${SCRIPT}.zip`, mimeType: "application/zip", buffer: packed() };
  await page.getByLabel("Campaign file").setInputFiles(file);
  await button(page, "New campaign").click();
  await page.getByRole("alert").getByText(`${SCRIPT}.png`).waitFor();
  assert.equal(await isHit(), undefined);
  await page.getByRole("link", { name: "more" }).click();
  for (const [tab, text] of [
    ["Links", `label ${SCRIPT}`],
    ["Log", `note ${SCRIPT}`],
    ["Log", `reason ${SCRIPT}`.slice(0, 40)],
  ]) {
    await page.getByRole("tab", { name: tab, exact: true }).click();
    await page.getByRole("tabpanel").getByText(text).first().waitFor();
    assert.equal(await isHit(), undefined, tab);
  }
  await context.close();
});

test("a page may load nothing from elsewhere and make no markup of text", async () => {
  const campaign = await here.server.campaign({ name: "strict", show: "text" });
  const { context, page } = await here.open();
  const strangers = [];
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "blob:" && origin !== here.server.url) strangers.push(request.url());
  });
  const response = await page.goto(await campaign.link());
  assert.match(response.headers()["content-security-policy"], /require-trusted-types-for 'script'/);
  await button(page, "Start").waitFor();
  const refused = await page.evaluate(() => {
    try {
      document.createElement("div").innerHTML = "<b>x</b>";
      return false;
    } catch {
      return true;
    }
  });
  assert.ok(refused);
  assert.deepEqual(strangers, []);
  // The browser says that it refused; that is what was wanted.
  assert.equal(here.troubles().filter((text) => !/TrustedHTML/.test(text)).length, 0);
  await context.close();
});

test("the token of an organiser is kept nowhere in the page", async () => {
  const { context, page } = await here.open();
  await page.goto(`${here.server.url}/organise`);
  await page.getByRole("textbox", { name: "Access token" }).fill(here.server.token);
  await button(page, "Sign in").click();
  await heading(page).filter({ hasText: "Campaigns" }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  assert.ok(!kept.includes(here.server.token));
  const [cookie] = await context.cookies();
  assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, "Strict"]);
  assert.notEqual(cookie.value, here.server.token);
  await context.close();
});
