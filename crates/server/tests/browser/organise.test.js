import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { assertFits, begin, button, heading, radio, status } from "./judging.js";
import { parcel, stage } from "./server.js";

const here = stage();

afterEach(() => assert.deepEqual(here.troubles(), [], "a page complained"));

/** Signs in on a page of organisers. */
async function signIn(page, path = "/organise") {
  await page.goto(here.server.url + path);
  await page.getByRole("textbox", { name: "Access token" }).fill(here.server.token);
  await button(page, "Sign in").click();
  await heading(page).filter({ hasNotText: "Sign in" }).waitFor();
}

const tab = (page, name) => page.getByRole("tab", { name, exact: true });

test("a token that is not valid lets nobody in; who signs out is out", async () => {
  const { context, page } = await here.open();
  await page.goto(`${here.server.url}/organise`);
  await page.getByRole("textbox", { name: "Access token" }).fill("guess");
  await button(page, "Sign in").click();
  await page.getByRole("alert").filter({ hasText: "This token is not valid." }).waitFor();
  await signIn(page);
  await heading(page).filter({ hasText: "Campaigns" }).waitFor();
  await page.reload();
  await heading(page).filter({ hasText: "Campaigns" }).waitFor();
  await button(page, "Sign out").click();
  await page.getByRole("textbox", { name: "Access token" }).waitFor();
  await page.reload();
  await page.getByRole("textbox", { name: "Access token" }).waitFor();
  await context.close();
});

test("an organiser makes a campaign of a zip, invites, watches, pauses, excludes, extends and downloads", async () => {
  const { context, page } = await here.open({ acceptDownloads: true });
  await signIn(page);
  const { bytes } = parcel({ name: "made", items: 3 });
  const file = page.getByLabel("Campaign file");
  await file.setInputFiles({ name: "made.zip", mimeType: "application/zip", buffer: bytes });
  await button(page, "New campaign").click();
  await heading(page).filter({ hasText: "The title of made" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/organise/made");

  // Links, shown once.
  await tab(page, "Links").click();
  await page.getByLabel("Number of links").fill("2");
  await page.getByLabel("Label (optional)").fill("=two friends");
  await button(page, "Create links").click();
  const link = await page.getByRole("textbox", { name: "Link 1" }).inputValue();
  const revoked = await page.getByRole("textbox", { name: "Link 2" }).inputValue();
  await page.getByRole("cell", { name: "=two friends" }).first().waitFor();
  await page.reload();
  await page.getByRole("button", { name: /^Revoke / }).nth(1).waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Link 1" }).count(), 0);

  // A judge comes in with one of them.
  const judge = await here.open();
  await begin(judge.page, link);
  const people = await here.server.get("/campaigns/made/people");
  const { person } = people.people[0];
  await page.getByText(`${person} has entered`).waitFor();
  const free = page.getByRole("row").filter({ hasText: "not used yet" });
  await free.getByRole("button", { name: /^Revoke / }).click();
  await page.getByRole("cell", { name: "revoked" }).waitFor();
  const late = await here.open();
  await late.page.goto(revoked);
  await heading(late.page).filter({ hasText: "This link does not work" }).waitFor();
  await late.context.close();

  // Progress, with the report's own figure.
  await tab(page, "Progress").click();
  const figure = page.getByRole("img", { name: "Progress of each list" });
  await figure.waitFor();
  await page.waitForFunction(() => document.querySelector("img.chart").naturalWidth > 0);
  await button(page, "Pause").click();
  await button(page, "Resume").waitFor();
  assert.equal((await here.server.get("/campaigns/made")).state, "paused");
  await button(page, "Resume").click();
  await button(page, "Pause").waitFor();

  await button(page, "Extend").click();
  const extend = page.getByRole("dialog", { name: "Extend" });
  await extend.getByRole("button", { name: "Extend" }).click();
  await extend.getByRole("alert").filter({ hasText: "Fill in at least one field." }).waitFor();
  await extend.getByLabel("Votes per pair").fill("2");
  await extend.getByRole("button", { name: "Extend" }).click();
  await status(page, "Done");
  assert.equal((await here.server.get("/campaigns/made/status")).votes_per_pair, 2);

  // The judge answers, reports, and is left out and taken in again.
  for (const name of ["Play the original", "Play variation A", "Play variation B"]) {
    await button(judge.page, name).click();
    await judge.page.getByRole("figure").filter({ has: button(judge.page, name) }).getByText("heard").waitFor();
  }
  await radio(judge.page, "A is more similar").check();
  await judge.page.getByRole("textbox", { name: "Comment (optional)" }).fill("<b>bold</b>");
  await button(judge.page, "Save and continue").click();
  await status(judge.page, "Saved");
  await button(judge.page, "Report a problem").click();
  await judge.page.getByLabel("Where is the problem?").selectOption("Variation A");
  await judge.page.getByRole("radio", { name: "Something else" }).check();
  await button(judge.page, "Send report").click();
  await status(judge.page, "Saved");
  await judge.context.close();

  await tab(page, "People").click();
  await button(page, `Exclude ${person}`).click();
  const exclude = page.getByRole("dialog", { name: `Exclude ${person}?` });
  await exclude.getByLabel("Reason (optional)").fill("A trial");
  await exclude.getByRole("button", { name: "Exclude" }).click();
  await button(page, `Readmit ${person}`).click();
  await button(page, `Exclude ${person}`).waitFor();
  const log = await here.server.api("GET", "/campaigns/made/log");
  assert.match(log, /"event":"excluded".*"reason":"A trial"/);
  assert.match(log, /"event":"readmitted"/);

  await tab(page, "Lists").click();
  await page.getByRole("heading", { name: "q0 (open)" }).waitFor();
  await page.getByText(/^Agreement|^No two people have compared/).waitFor();

  await tab(page, "Reports (1)").click();
  await page.getByRole("region", { name: "Reported problems" }).getByText("Something else").waitFor();
  await tab(page, "Log").click();
  await page.getByRole("region", { name: "Comments and notes" }).getByText("<b>bold</b>").waitFor();
  await page.getByRole("cell", { name: "readmitted" }).waitFor();

  await tab(page, "Downloads").click();
  const links = await page.getByRole("tabpanel").getByRole("link").all();
  assert.ok(links.length >= 9);
  for (const one of links) {
    const waiting = page.waitForEvent("download");
    await one.click();
    const download = await waiting;
    const name = await one.textContent();
    assert.ok(download.suggestedFilename().endsWith(name), `${download.suggestedFilename()} is ${name}`);
    assert.equal(await download.failure(), null);
  }
  await context.close();
});

test("tabs go by arrows, and the address remembers them", async () => {
  await here.server.campaign({ name: "tabs", show: "text" });
  const { context, page } = await here.open();
  await signIn(page, "/organise/tabs");
  await tab(page, "Progress").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await tab(page, "Lists").getAttribute("aria-selected"), "true");
  await page.keyboard.press("End");
  assert.equal(await tab(page, "Downloads").getAttribute("aria-selected"), "true");
  await page.reload();
  await tab(page, "Downloads").waitFor();
  assert.equal(await tab(page, "Downloads").getAttribute("aria-selected"), "true");
  await context.close();
});

test("a campaign that cannot be is refused with each of its faults, and nothing is made", async () => {
  const { context, page } = await here.open();
  await signIn(page);
  const { document } = parcel({ name: "bad", show: "text" });
  document.lists[0].items[0].show = {};
  document.settings.strategy = "guess";
  // The button first, then the file.
  await button(page, "New campaign").click();
  await page.getByRole("alert").filter({ hasText: "Choose a file first." }).waitFor();
  const buffer = Buffer.from(JSON.stringify(document));
  await page.getByLabel("Campaign file").setInputFiles({ name: "bad.json", mimeType: "application/json", buffer });
  const faults = page.getByRole("alert").filter({ hasText: "The campaign was not created:" });
  await faults.getByText("/settings/strategy").waitFor();
  await faults.getByText("/lists/0/items/0").waitFor();
  const { campaigns } = await here.server.get("/campaigns");
  assert.ok(!campaigns.some((one) => one.name === "bad"));
  await context.close();
});

test("a campaign moves on the organiser's page while people judge", async () => {
  const campaign = await here.server.campaign({ name: "live", show: "text", items: 2 });
  const { context, page } = await here.open();
  await signIn(page, "/organise/live");
  const fact = (name) => page.locator(".facts div").filter({ hasText: name }).locator("dd");
  await fact("Votes so far").filter({ hasText: /^0$/ }).waitFor();
  const judge = await here.open();
  await begin(judge.page, await campaign.link());
  await radio(judge.page, "A is more similar").check();
  await button(judge.page, "Save and continue").click();
  await heading(judge.page).filter({ hasText: "Thank you" }).waitFor();
  await fact("Votes so far").filter({ hasText: /^1$/ }).waitFor();
  await fact("All lists settled").filter({ hasText: "yes" }).waitFor();
  // Nothing is left, and a campaign without a price has no costs (use B3, B4).
  assert.equal(await fact("Votes still expected").textContent(), "0");
  assert.match(await fact("Time left").textContent(), /^0\s*min/);
  assert.equal(await page.getByText(/cost/i).count(), 0);
  await judge.context.close();
  await context.close();
});

test("the lists of rankings and of grades are shown, each under its kind", async () => {
  const kinds = ["ranking", "grading"];
  const campaign = await here.server.campaign({ name: "kinds", show: "text", items: 2, kinds, judging: { graders: 1 } });
  const ask = async (method, path, token, json) => {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    const response = await fetch(`${here.server.url}/api/v1/judge/${path}`, { method, headers, body: JSON.stringify(json) });
    assert.ok(response.ok, path);
    return response.json();
  };
  const invite = new URLSearchParams(new URL(await campaign.link("ranking")).hash.slice(1)).get("invite");
  const { token } = await ask("POST", "enter", "none", { campaign: "kinds", invite });
  const [{ task, items }] = (await ask("POST", "next", token, {})).tasks;
  const key = (name) => items.find((item) => item.show.text.endsWith(name)).key;
  const groups = [[key("q0i1")], [key("q0i0")]];
  await ask("PUT", "answers/00000000-0000-4000-8000-000000000001", token, { task, seconds: 1, groups, unranked: [] });
  const { context, page } = await here.open();
  await signIn(page, "/organise/kinds");
  await tab(page, "Lists").click();
  await page.getByRole("heading", { level: 2, name: "Lists (ranking)" }).waitFor();
  await page.getByRole("heading", { level: 2, name: "Lists (grading)" }).waitFor();
  await page.getByRole("heading", { level: 3, name: "q0 (settled)" }).waitFor();
  // One ranking orders what is in a group, and tells no groups apart.
  assert.deepEqual(await page.getByRole("tabpanel").getByRole("listitem").allTextContents(), ["q0i1 = q0i0"]);
  await page.getByText("Nobody has judged this list yet.").waitFor();
  assert.equal(await page.getByText(/Agreement|No two people/).count(), 0);
  await context.close();
});

test("the organiser's pages fit on a screen of 320 pixels", async () => {
  const campaign = await here.server.campaign({ name: "narrow", queries: 2 });
  await campaign.link();
  const { context, page } = await here.open({ viewport: { width: 320, height: 640 } });
  await page.goto(`${here.server.url}/organise/narrow`);
  await page.getByRole("textbox", { name: "Access token" }).waitFor();
  await assertFits(page);
  await signIn(page, "/organise/narrow");
  for (const name of ["Progress", "Lists", "People", "Links", "Log", "Downloads"]) {
    await tab(page, name).click();
    await page.getByRole("heading", { level: 2, name }).waitFor();
    await page.waitForLoadState("networkidle");
    await assertFits(page);
  }
  await page.goto(`${here.server.url}/organise`);
  await button(page, "New campaign").waitFor();
  await assertFits(page);
  await context.close();
});

test("server_b10: lists, people and links have pages of 100 rows, search and sort, which the address keeps", async () => {
  await here.server.campaign({ name: "many", show: "text", queries: 130, items: 2 });
  for (const [label, count] of [["class", 140], ["Zoë", 1]]) {
    const request = { kind: "preference", count, label };
    await here.server.api("POST", "/campaigns/many/invites", JSON.stringify(request));
  }
  const { context, page } = await here.open();
  await signIn(page, "/organise/many#lists");
  await page.getByText("1 to 100 of 130").waitFor();
  assert.equal(await page.getByRole("heading", { level: 3 }).count(), 100);
  await button(page, "Next page").click();
  await page.getByText("101 to 130 of 130").waitFor();
  await page.goBack();
  await page.getByText("1 to 100 of 130").waitFor();
  await page.goForward();
  await page.getByText("101 to 130 of 130").waitFor();
  await page.reload();
  await page.getByText("101 to 130 of 130").waitFor();
  await button(page, "Previous page").click();

  const header = page.getByRole("columnheader", { name: "Query" });
  await header.getByRole("button").click();
  await header.getByRole("button").click();
  await page.locator("th[aria-sort=descending]").waitFor();
  await page.getByRole("heading", { level: 3 }).first().filter({ hasText: "q99 " }).waitFor();

  await tab(page, "Links").click();
  await page.getByText("1 to 100 of 141").waitFor();
  await page.getByRole("searchbox", { name: "Find" }).fill("zoë");
  await page.getByText("1 to 1 of 1").waitFor();
  await page.reload();
  await page.getByText("1 to 1 of 1").waitFor();
  assert.equal(await page.getByRole("searchbox", { name: "Find" }).inputValue(), "zoë");
  await page.goBack();
  await page.locator("th[aria-sort=descending]").waitFor();
  assert.equal(await tab(page, "Lists").getAttribute("aria-selected"), "true");
  await context.close();
});

test("server_b16: a closed campaign is deleted once its name is typed", async () => {
  const campaign = await here.server.campaign({ name: "old-tunes", show: "text" });
  const { context, page } = await here.open();
  await signIn(page, "/organise/old-tunes");
  await button(page, "Close for good").waitFor();
  assert.equal(await button(page, "Delete").count(), 0);
  await campaign.post("close");
  await page.reload();
  await button(page, "Delete").click();
  const dialog = page.getByRole("dialog", { name: "Delete the campaign old-tunes?" });
  const confirm = dialog.getByRole("button", { name: "Delete" });
  assert.equal(await confirm.isDisabled(), true);
  const name = dialog.getByRole("textbox", { name: "Type its name, old-tunes, to confirm" });
  await name.fill("old-tune");
  assert.equal(await confirm.isDisabled(), true);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await button(page, "Delete").click();
  await name.fill("old-tunes");
  await confirm.click();
  await heading(page).filter({ hasText: "Campaigns" }).waitFor();
  assert.deepEqual((await here.server.get("/campaigns")).campaigns.filter(({ name }) => name === "old-tunes"), []);
  await context.close();
});

test("server_b2: all reports are shown, however many answers follow", async () => {
  const campaign = await here.server.campaign({
    name: "reports",
    show: "text",
    queries: 12,
    items: 12,
    judging: { ahead: 20 },
  });
  const judge = await here.open();
  await begin(judge.page, await campaign.link());
  await button(judge.page, "Report a problem").click();
  const dialog = judge.page.getByRole("dialog", { name: "Report a problem" });
  await dialog.getByLabel("Where is the problem?").selectOption("Variation B");
  await dialog.getByRole("radio", { name: "Nothing can be heard or seen" }).check();
  await dialog.getByRole("textbox", { name: "Details (optional)" }).fill("Silence <i>only</i>");
  await dialog.getByRole("button", { name: "Send report" }).click();
  await status(judge.page, "Saved");
  // The rest by requests: more events than the tab Log loads.
  await judge.page.evaluate(async () => {
    const { token } = JSON.parse(localStorage.getItem("partita:judge:reports"));
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const send = async (method, path, body) => {
      for (;;) {
        const reply = await fetch(`/api/v1/judge/${path}`, { method, headers, body: JSON.stringify(body) });
        if (reply.status !== 429) return reply;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    };
    for (let count = 0; count < 230; ) {
      const { tasks } = await (await send("POST", "next", {})).json();
      if (tasks.length === 0) break;
      for (const { task } of tasks) {
        await send("PUT", `answers/${crypto.randomUUID()}`, { task, seconds: 1, answer: "a" });
        count += 1;
      }
    }
  });
  await judge.context.close();
  assert.ok((await campaign.events("answered")).length > 200);
  const { context, page } = await here.open({ viewport: { width: 375, height: 667 } });
  await signIn(page, "/organise/reports");
  await tab(page, "Reports (1)").click();
  const region = page.getByRole("region", { name: "Reported problems" });
  await region.getByRole("cell", { name: "Silence <i>only</i>" }).waitFor();
  await region.getByRole("cell", { name: "Nothing can be heard or seen" }).waitFor();
  await assertFits(page);
  await page.getByRole("searchbox", { name: "Find" }).fill("nobody");
  await page.getByText("Nothing was found.").waitFor();
  await context.close();
});

test("names of a list become labels of links, which People shows and which can be changed (use B16)", async () => {
  await here.server.campaign({ name: "named" });
  const { context, page } = await here.open();
  await signIn(page, "/organise/named");
  await tab(page, "Links").click();
  await page.getByLabel("Names (optional)").fill("Mia Roth\n\nÓscar");
  await button(page, "Create links").click();
  const link = await page.getByRole("textbox", { name: "Mia Roth" }).inputValue();
  await page.getByRole("link", { name: "Download links" }).waitFor();
  await page.getByRole("cell", { name: "Óscar" }).waitFor();
  const judge = await here.open();
  await begin(judge.page, link);
  await judge.context.close();
  await tab(page, "People").click();
  await page.getByRole("cell", { name: "Mia Roth", exact: true }).waitFor();
  await tab(page, "Links").click();
  const row = page.getByRole("row").filter({ hasText: "Mia Roth" });
  await row.getByRole("button", { name: /^Change the label of/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Label").fill("M. Roth-Lee");
  await dialog.getByRole("button", { name: "Change" }).click();
  await page.getByRole("cell", { name: "M. Roth-Lee" }).waitFor();
  await assertFits(page);
  await context.close();
});
