import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { begin, button, comes, heading, hear, pass, radio, status } from "./judging.js";
import { stage } from "./server.js";

const here = stage();

afterEach(() => assert.deepEqual(here.troubles(), [], "a page complained"));

/** How many answers wait in the browser. */
const waiting = (page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(":unsent:")).length);

const shown = (page) => page.getByRole("figure").allTextContents();

/** The two items that are asked about, whichever side they are on: another pair may have one of them again. */
const items = async (page) => (await shown(page)).slice(1).map((text) => text.replace(/^Variation [AB]/, "")).sort();

test("offline in the middle: answers wait in the browser and are saved once when the network is back", async () => {
  const campaign = await here.server.campaign({ name: "offline", queries: 2, judging: { ahead: 2 } });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  await hear(page);
  // The clips of the task after this one are loaded by now.
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await radio(page, "A is more similar").check();
  let before = await heading(page).textContent();
  await button(page, "Save and continue").click();
  await status(page, "Not saved yet. Trying again.");
  assert.equal(await pass(page, before), "Question", "the next task can be judged meanwhile");
  await hear(page);
  await radio(page, "B is more similar").check();
  before = await heading(page).textContent();
  await button(page, "Save and continue").click();
  await heading(page).filter({ hasText: "One moment" }).waitFor();
  await status(page, "Not saved yet. Trying again.");
  assert.equal((await campaign.events("answered")).length, 0);
  assert.equal(await waiting(page), 2);
  await context.setOffline(false);
  await status(page, "Saved");
  assert.equal(await pass(page, "One moment"), "Question");
  const answers = await campaign.events("answered");
  assert.deepEqual(answers.map((answer) => answer.answer), ["a", "b"]);
  assert.equal(await waiting(page), 0);
  await context.close();
});

test("a server that is killed and started again gets every answer once", async () => {
  const campaign = await here.server.campaign({ name: "killed", show: "text", queries: 2 });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  await here.server.kill();
  await radio(page, "A is more similar").check();
  const before = await heading(page).textContent();
  await button(page, "Save and continue").click();
  await status(page, "Not saved yet. Trying again.");
  await here.server.start(new URL(here.server.url).host);
  await status(page, "Saved");
  assert.equal(await pass(page, before), "Question");
  assert.equal((await campaign.events("answered")).length, 1);
  await context.close();
});

test("an answer whose acknowledgement is lost is saved once", async () => {
  const campaign = await here.server.campaign({ name: "lost", show: "text" });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  let lost = 0;
  await page.route("**/api/v1/judge/answers/*", async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    return route.abort();
  });
  await radio(page, "A is more similar").check();
  await button(page, "Save and continue").click();
  await status(page, "Not saved yet. Trying again.");
  await status(page, "Saved");
  assert.equal(lost, 1);
  assert.equal((await campaign.events("answered")).length, 1);
  await context.close();
});

test("a window closed offline sends its answers when it is opened again", async () => {
  const campaign = await here.server.campaign({ name: "lid", show: "text", items: 2 });
  const { context, page } = await here.open();
  const link = await campaign.link();
  await begin(page, link);
  await context.setOffline(true);
  await radio(page, "A is more similar").check();
  await button(page, "Save and continue").click();
  await status(page, "Not saved yet. Trying again.");
  await page.close();
  await context.setOffline(false);
  const again = await here.window(context);
  await again.goto(link);
  await heading(again).filter({ hasText: "Thank you" }).waitFor();
  assert.equal((await campaign.events("answered")).length, 1);
  await context.close();
});

test("no code is shown, and \"Saved\" is not said, before the server has said so", async () => {
  const campaign = await here.server.campaign({ name: "code", show: "text", items: 2 });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  let isDown = true;
  await page.route("**/api/v1/judge/answers/*", (route) =>
    isDown
      ? route.fulfill({ status: 503, headers: { "Retry-After": "1" }, body: "{}" })
      : route.continue(),
  );
  await radio(page, "A is more similar").check();
  await button(page, "Save and continue").click();
  await status(page, "Not saved yet. Trying again.");
  await page.waitForTimeout(1_500);
  assert.equal(await page.locator("output").count(), 0);
  assert.doesNotMatch(await heading(page).textContent(), /Thank you/);
  isDown = false;
  await heading(page).filter({ hasText: "Thank you" }).waitFor();
  await status(page, "Saved");
  await context.close();
});

test("a reload keeps the pair, its sides, what was heard, chosen and written", async () => {
  const campaign = await here.server.campaign({ name: "reload", queries: 3 });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  const clips = () =>
    page.evaluate(async () => {
      const response = await fetch("/api/v1/judge/next", {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Authorization: `Bearer ${JSON.parse(localStorage.getItem("partita:judge:reload")).token}`,
        },
        body: "{}",
      });
      return (await response.json()).tasks.map((task) => [task.task, task.a.audio.url, task.b.audio.url]);
    });
  const before = await clips();
  await hear(page);
  await radio(page, "B is more similar").check();
  await page.getByRole("textbox", { name: "Comment (optional)" }).fill("Half a word");
  await page.reload();
  await button(page, "Play the original").waitFor();
  assert.deepEqual(await clips(), before);
  assert.ok(await radio(page, "B is more similar").isChecked());
  assert.equal(await page.getByRole("textbox", { name: "Comment (optional)" }).inputValue(), "Half a word");
  await button(page, "Save and continue").click();
  await status(page, "Saved");
  const [answer] = await campaign.events("answered");
  assert.equal(answer.listened.query.plays, 1);
  await context.close();
});

test("a reload with answers that wait sends them, and does not ask about the pair again", async () => {
  const campaign = await here.server.campaign({ name: "again", show: "text" });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  const pair = await items(page);
  let isDown = true;
  await page.route("**/api/v1/judge/answers/*", (route) => (isDown ? route.abort() : route.continue()));
  await radio(page, "A is more similar").check();
  await button(page, "Save and continue").click();
  await status(page, "Not saved yet. Trying again.");
  await page.reload();
  await status(page, "Not saved yet. Trying again.");
  await comes(page);
  assert.notDeepEqual(await items(page), pair);
  isDown = false;
  await status(page, "Saved");
  assert.equal((await campaign.events("answered")).length, 1);
  await context.close();
});

test("a server that is away when the page is opened is waited for", async () => {
  const campaign = await here.server.campaign({ name: "away", show: "text" });
  const { context, page } = await here.open();
  let isDown = true;
  await page.route("**/api/v1/judge/**", (route) => (isDown ? route.abort() : route.continue()));
  await page.goto(await campaign.link());
  await heading(page).filter({ hasText: "No connection" }).waitFor();
  isDown = false;
  await button(page, "Start").waitFor();
  await context.close();
});

test("two windows: what is answered in one is not asked in the other", async () => {
  const campaign = await here.server.campaign({ name: "windows", show: "text" });
  const { context, page } = await here.open();
  const link = await campaign.link();
  await begin(page, link);
  const other = await here.window(context);
  await other.goto(link);
  await comes(other);
  assert.deepEqual(await shown(other), await shown(page));
  await radio(page, "A is more similar").check();
  const before = await heading(page).textContent();
  await button(page, "Save and continue").click();
  await status(page, "Saved");
  await pass(page, before);
  await pass(other, before);
  assert.deepEqual(await shown(other), await shown(page), "the other window went on by itself");
  await context.close();
});

test("two windows: the answer to the last pair in one ends both", async () => {
  const campaign = await here.server.campaign({ name: "both", show: "text", items: 2 });
  const { context, page } = await here.open();
  const link = await campaign.link();
  await begin(page, link);
  const other = await here.window(context);
  await other.goto(link);
  await comes(other);
  await radio(page, "A is more similar").check();
  await button(page, "Save and continue").click();
  for (const one of [page, other]) await heading(one).filter({ hasText: "Thank you" }).waitFor();
  assert.equal((await campaign.events("answered")).length, 1);
  await context.close();
});

test("two devices: the second answer to a task is none, and both go on", async () => {
  const campaign = await here.server.campaign({ name: "devices", show: "text", items: 2 });
  const link = await campaign.link();
  const one = await here.open();
  const two = await here.open();
  await begin(one.page, link);
  await begin(two.page, link);
  assert.deepEqual(await shown(one.page), await shown(two.page), "the same pair on the same sides");
  for (const { page } of [one, two]) {
    await radio(page, page === one.page ? "A is more similar" : "B is more similar").check();
    await button(page, "Save and continue").click();
    await heading(page).filter({ hasText: "Thank you" }).waitFor();
  }
  const answers = await campaign.events("answered");
  assert.deepEqual(answers.map((answer) => answer.answer), ["a"]);
  await one.context.close();
  await two.context.close();
});

test("a clip that fails can be tried again", async () => {
  const campaign = await here.server.campaign({ name: "broken" });
  const { context, page } = await here.open();
  let isDown = true;
  await page.route("**/media/*", (route) => (isDown ? route.abort() : route.continue()));
  await begin(page, await campaign.link());
  await button(page, "Play the original").click();
  await page.getByText("This did not load.").waitFor();
  isDown = false;
  await button(page, "Try again").click();
  await page.getByRole("figure", { name: "Original" }).getByText("heard").waitFor();
  assert.equal(await page.getByText("This did not load.").count(), 0);
  await context.close();
});

test("a clip that fails can be reported; another pair comes, and this one does not come back", async () => {
  const campaign = await here.server.campaign({ name: "reported" });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  const tasks = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("partita:task:")));
  await page.route("**/media/*", (route) => route.abort());
  const [task] = await tasks();
  await button(page, "Report a problem").click();
  const dialog = page.getByRole("dialog", { name: "Report a problem" });
  await dialog.getByLabel("Where is the problem?").selectOption("Variation B");
  await dialog.getByRole("radio", { name: "It does not load" }).check();
  await dialog.getByRole("textbox").fill("Only noise");
  await dialog.getByRole("button", { name: "Send report" }).click();
  await status(page, "Saved");
  await page.waitForFunction((old) => sessionStorage.getItem(old) === null, task);
  const [report] = await campaign.events("reported");
  assert.equal(report.problem, "load");
  assert.ok(report.item.startsWith("q0i"));
  await pass(page);
  assert.ok(!(await tasks()).includes(task));
  await context.close();
});
