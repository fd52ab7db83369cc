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
  const parts = dialog.getByLabel("Where is the problem?");
  // The clip failed, and still nothing is preselected: the report waits for both choices (server A4).
  assert.equal(await parts.inputValue(), "");
  assert.equal(await dialog.getByRole("radio", { checked: true }).count(), 0);
  await dialog.getByRole("button", { name: "Send report" }).click();
  await parts.selectOption("Variation B");
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

/** Saves an answer to the question of the page and returns the heading before it. */
async function save(page, name = "A is more similar") {
  await radio(page, name).check();
  const before = await heading(page).textContent();
  await button(page, "Save and continue").click();
  return before;
}

const HTML = { contentType: "text/html", body: "<h1>Sign in to this network</h1>" };
const FOREIGN = {
  "a bad request": { status: 400, ...HTML },
  "a sign-in": { status: 401, ...HTML },
  "a firewall": { status: 403, contentType: "application/json", body: '{"type":"about:blank","detail":"blocked"}' },
  "a wrong deploy": { status: 404, ...HTML },
  "a size limit": { status: 413, ...HTML },
  "a problem of another service": {
    status: 422,
    contentType: "application/problem+json",
    body: '{"type":"https://gateway.example/invalid","title":"invalid"}',
  },
  "a captive portal": { status: 200, ...HTML },
  "a success of another service": { status: 200, contentType: "application/json", body: '{"status":"ok"}' },
  "an empty success": { status: 204 },
};

for (const [who, reply] of Object.entries(FOREIGN)) {
  test(`server_b1: an answer that ${who} takes (${reply.status}) is sent again until this server has it`, async () => {
    const name = `foreign-${Object.keys(FOREIGN).indexOf(who)}`;
    const campaign = await here.server.campaign({ name, show: "text", items: 2 });
    const { context, page } = await here.open();
    await begin(page, await campaign.link());
    let taken = 0;
    await page.route("**/api/v1/judge/answers/*", (route) => {
      taken += 1;
      return taken === 1 ? route.fulfill(reply) : route.continue();
    });
    await save(page);
    await status(page, "Not saved yet. Trying again.");
    await heading(page).filter({ hasText: "Thank you" }).waitFor();
    assert.equal((await campaign.events("answered")).length, 1);
    assert.equal(taken, 2);
    assert.equal(await waiting(page), 0);
    await context.close();
  });
}

test("server_b1: a reply from elsewhere to any other request is no end either", async () => {
  const campaign = await here.server.campaign({ name: "portal", show: "text", items: 2 });
  const { context, page } = await here.open();
  const link = await campaign.link();
  let isPortal = false;
  await page.route("**/api/v1/judge/**", (route) => {
    if (!isPortal) return route.continue();
    return route.fulfill({ status: 401, ...HTML });
  });
  await begin(page, link);
  isPortal = true;
  await page.reload();
  await heading(page).filter({ hasText: "No connection" }).waitFor();
  await page.waitForTimeout(1_500);
  isPortal = false;
  await heading(page).filter({ hasText: /^Question/ }).waitFor();
  await context.close();
});

test("server_b1: an answer that a firewall refuses for ever does not hold up the next ones", async () => {
  const campaign = await here.server.campaign({ name: "firewall", show: "text", queries: 2 });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  let isUp = true;
  await page.route("**/api/v1/judge/answers/*", (route) =>
    isUp && route.request().postData().includes("select") ? route.fulfill({ status: 403, ...HTML }) : route.continue(),
  );
  await page.getByRole("textbox", { name: "Comment (optional)" }).fill("select * from tunes");
  await pass(page, await save(page));
  await pass(page, await save(page, "B is more similar"));
  await status(page, "Not saved yet. Trying again.");
  assert.deepEqual((await campaign.events("answered")).map((answer) => answer.answer), ["b"]);
  assert.equal(await waiting(page), 1);
  isUp = false;
  await status(page, "Saved");
  assert.equal((await campaign.events("answered")).length, 2);
  await context.close();
});

test("server_b1: answers that earlier pages set aside are sent again", async () => {
  const campaign = await here.server.campaign({ name: "aside", show: "text", queries: 2 });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  await page.route("**/api/v1/judge/answers/*", (route) => route.abort());
  await pass(page, await save(page));
  await status(page, "Not saved yet. Trying again.");
  const moved = await page.evaluate(() => {
    const from = Object.keys(localStorage).filter((key) => key.startsWith("partita:unsent:aside:"));
    for (const key of from) {
      localStorage.setItem(key.replace(":unsent:", ":refused:"), localStorage.getItem(key));
      localStorage.removeItem(key);
    }
    return from.length;
  });
  assert.equal(moved, 1);
  await page.unroute("**/api/v1/judge/answers/*");
  await page.reload();
  await status(page, "Saved");
  assert.equal((await campaign.events("answered")).length, 1);
  assert.equal(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("refused")).length), 0);
  await context.close();
});

test("server_b1: a decision of this server ends an answer, and the page says why", async () => {
  const campaign = await here.server.campaign({ name: "decided", show: "text", queries: 2 });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  let asked = 0;
  await page.route("**/api/v1/judge/answers/*", (route) => {
    asked += 1;
    const problem = { type: "/problems/invalid", title: "Invalid", status: 422, detail: "the comment has a NUL" };
    return route.fulfill({ status: 422, contentType: "application/problem+json", body: JSON.stringify(problem) });
  });
  await save(page);
  await status(page, "An answer could not be saved: the comment has a NUL");
  await page.waitForTimeout(1_500);
  assert.equal(asked, 1);
  assert.equal(await waiting(page), 0);
  await context.close();
});

test("server_b1: an answer whose link was withdrawn is kept until the link works again", async () => {
  const campaign = await here.server.campaign({ name: "withdrawn", show: "text", queries: 2 });
  const { context, page } = await here.open();
  const link = await campaign.link();
  await begin(page, link);
  let isWithdrawn = true;
  const refusal = (status, name) => ({
    status,
    contentType: "application/problem+json",
    body: JSON.stringify({ type: `/problems/${name}`, title: name, status, detail: name }),
  });
  await page.route("**/api/v1/judge/answers/*", (route) =>
    isWithdrawn ? route.fulfill(refusal(401, "unauthorised")) : route.continue(),
  );
  await page.route("**/api/v1/judge/enter", (route) =>
    isWithdrawn ? route.fulfill(refusal(403, "link")) : route.continue(),
  );
  await save(page);
  await status(page, "An answer could not be saved: link");
  assert.equal((await campaign.events("answered")).length, 0);
  isWithdrawn = false;
  await page.reload();
  await status(page, "Saved");
  assert.equal((await campaign.events("answered")).length, 1);
  await context.close();
});
