import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { assertFits, begin, button, comes, heading, hear, pass, radio, status } from "./judging.js";
import { stage } from "./server.js";

const here = stage();

afterEach(() => assert.deepEqual(here.troubles(), [], "a page complained"));

test("a whole campaign by mouse, without mix: consent, background, comments and a break at each new original", async () => {
  const campaign = await here.server.campaign({
    name: "mouse",
    queries: 2,
    judging: { mix: false },
    consent: { version: "1", text: { en: "We keep your answers." } },
  });
  const { context, page } = await here.open();
  await page.goto(await campaign.link());
  await page.getByText("We keep your answers.").waitFor();
  await button(page, "Start").click();
  await page.getByRole("alert").filter({ hasText: "Tick the box first" }).waitFor();
  await page.getByRole("checkbox", { name: "I have read this and want to take part" }).check();
  await page.getByRole("textbox", { name: "Your musical background (optional)" }).fill("The viola");
  await button(page, "Start").click();
  assert.equal(await comes(page), "Question", "there is no break before the first");
  let breaks = 0;
  for (let n = 1; ; n += 1) {
    assert.equal(await page.getByRole("progressbar", { name: "Progress" }).count(), 1);
    assert.ok(await radio(page, "A is more similar").isDisabled(), "no answer before all was heard");
    await hear(page);
    assert.ok(await radio(page, "A is more similar").isEnabled());
    await radio(page, n % 2 ? "A is more similar" : "Equally similar or dissimilar").check();
    await page.getByRole("textbox", { name: "Comment (optional)" }).fill(`The comment ${n}`);
    const before = await heading(page).textContent();
    await button(page, "Save and continue").click();
    const next = await comes(page, before);
    if (next === "Thank you") break;
    if (next === "A new original") {
      breaks += 1;
      await button(page, "Continue").click();
      await comes(page, "A new original");
    }
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Play the original");
  }
  assert.ok(breaks > 0, "the query changed and there was no break");
  await status(page, "Saved");
  assert.match(await page.locator("output").textContent(), /\S{6,}/);
  assert.equal(await page.getByLabel("Completion code").count(), 1);
  const answers = await campaign.events("answered");
  const { settled } = await campaign.get("status");
  assert.ok(settled);
  assert.equal(new Set(answers.map((answer) => answer.id)).size, answers.length);
  for (const answer of answers) {
    assert.deepEqual(answer.listened, {
      a: { plays: 1, ended: true },
      b: { plays: 1, ended: true },
      query: { plays: 1, ended: true },
    });
  }
  const remarks = await here.server.api("GET", "/campaigns/mouse/export/remarks.csv");
  assert.ok(remarks.includes("The comment 1"));
  const people = await here.server.api("GET", "/campaigns/mouse/export/people.csv");
  assert.ok(people.includes("The viola"));
  await context.close();
});

test("a whole campaign by keys alone", async () => {
  const campaign = await here.server.campaign({ name: "keys", queries: 2, items: 2, judging: { mix: false } });
  const { context, page } = await here.open();
  await page.goto(await campaign.link());
  await button(page, "Start").waitFor();
  for (let press = 0; press < 10; press += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement.textContent)) === "Start") break;
  }
  await page.keyboard.press("Enter");
  await comes(page);
  const pressed = (name) => page.getByRole("button", { name, exact: true, pressed: true });
  // By numbers.
  await page.keyboard.press("a");
  assert.equal(await page.getByRole("radio", { checked: true }).count(), 0, "nothing was heard yet");
  for (const [key, name] of [["1", "Play the original"], ["2", "Play variation A"], ["3", "Play variation B"]]) {
    await page.keyboard.press(key);
    await pressed(name).waitFor();
    await pressed(name).waitFor({ state: "detached" });
  }
  await page.keyboard.press("b");
  assert.ok(await radio(page, "B is more similar").isChecked());
  const before = await heading(page).textContent();
  await page.keyboard.press("Enter");
  assert.equal(await comes(page, before), "A new original");
  await page.keyboard.press("Enter");
  await comes(page, "A new original");
  // By Space: the next that was not heard, and stop.
  await page.keyboard.press("Space");
  await pressed("Play the original").waitFor();
  await page.keyboard.press("Space");
  assert.equal(await page.getByRole("button", { pressed: true }).count(), 0, "Space stops");
  for (const name of ["Play the original", "Play variation A", "Play variation B"]) {
    await page.keyboard.press("Space");
    await pressed(name).waitFor();
    await pressed(name).waitFor({ state: "detached" });
  }
  await page.keyboard.press("e");
  await page.keyboard.press("Enter");
  await heading(page).filter({ hasText: "Thank you" }).waitFor();
  const answers = await campaign.events("answered");
  assert.deepEqual(answers.map((answer) => answer.answer), ["b", "equal"]);
  await context.close();
});

test("keys do nothing in a text field, nor when they are turned off", async () => {
  const campaign = await here.server.campaign({ name: "typing", show: "text" });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  const comment = page.getByRole("textbox", { name: "Comment (optional)" });
  await comment.fill("");
  await comment.pressSequentially("a b e 1");
  assert.equal(await comment.inputValue(), "a b e 1");
  assert.equal(await page.getByRole("radio", { checked: true }).count(), 0);
  await page.getByRole("checkbox", { name: "Keyboard shortcuts" }).uncheck();
  await page.keyboard.press("a");
  assert.equal(await page.getByRole("radio", { checked: true }).count(), 0);
  await page.getByRole("checkbox", { name: "Keyboard shortcuts" }).check();
  await page.keyboard.press("a");
  assert.ok(await radio(page, "A is more similar").isChecked());
  await context.close();
});

test("one clip sounds at a time, and a second press stops it", async () => {
  const campaign = await here.server.campaign({ name: "one" });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  await page.evaluate(() => {
    window.most = 0;
    const look = () => {
      window.most = Math.max(window.most, document.querySelectorAll("[aria-pressed=true]").length);
      requestAnimationFrame(look);
    };
    look();
  });
  await button(page, "Play the original").click();
  await button(page, "Play variation A").click();
  await button(page, "Play variation B").click();
  await button(page, "Play variation B").click();
  assert.equal(await page.getByRole("button", { pressed: true }).count(), 0);
  assert.equal(await page.evaluate(() => window.most), 1);
  assert.ok(await radio(page, "A is more similar").isDisabled(), "none of them was heard to its end");
  await context.close();
});

test("on a phone of 320 by 640 by touch", async () => {
  const campaign = await here.server.campaign({ name: "phone", items: 2 });
  const { context, page } = await here.open({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  await page.goto(await campaign.link());
  await button(page, "Start").waitFor();
  await assertFits(page);
  await button(page, "Start").tap();
  await comes(page);
  await assertFits(page);
  for (const name of ["Play the original", "Play variation A", "Play variation B"]) {
    await button(page, name).tap();
    await page.getByRole("figure").filter({ has: button(page, name) }).getByText("heard").waitFor();
  }
  await assertFits(page);
  await button(page, "Report a problem").tap();
  await assertFits(page);
  await button(page, "Cancel").tap();
  await page.getByText("A is more similar").tap();
  await button(page, "Save and continue").tap();
  await heading(page).filter({ hasText: "Thank you" }).waitFor();
  await assertFits(page);
  assert.equal((await campaign.events("answered")).length, 1);
  await context.close();
});

for (const show of ["text", "image"]) {
  test(`a campaign of ${show}s has figures in the place of clips`, async () => {
    const campaign = await here.server.campaign({ name: `${show}s`, show, items: 2 });
    const { context, page } = await here.open();
    await page.goto(await campaign.link());
    await button(page, "Start").waitFor();
    assert.doesNotMatch(await page.getByRole("main").textContent(), /melod/i);
    await button(page, "Start").click();
    await comes(page);
    for (const name of ["Original", "Variation A", "Variation B"]) {
      const figure = page.getByRole("figure", { name, exact: true });
      await (show === "text" ? figure.getByText("The text of") : figure.getByRole("img")).waitFor();
    }
    assert.equal(await heading(page).evaluate((h1) => document.activeElement === h1), true);
    await page.keyboard.press("e");
    await page.keyboard.press("Enter");
    await heading(page).filter({ hasText: "Thank you" }).waitFor();
    await context.close();
  });
}

test("who stops is asked once more, and ends with a code of their own", async () => {
  const campaign = await here.server.campaign({ name: "stopping", show: "text" });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  await button(page, "Stop here").click();
  await button(page, "Continue judging").click();
  assert.equal(await comes(page), "Question");
  await button(page, "Stop here").click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop here" }).click();
  await heading(page).filter({ hasText: "Thank you" }).waitFor();
  await page.getByText("Your part ends here.").waitFor();
  assert.match(await page.locator("output").textContent(), /\S{6,}/);
  await page.reload();
  await page.getByText("Your part ends here.").waitFor();
  await context.close();
});

test("people of a panel return to it with their code", async () => {
  const campaign = await here.server.campaign({
    name: "panel",
    show: "text",
    items: 2,
    recruiter: { preset: "prolific", outcomes: { complete: { code: "DONE1" }, full: { code: "FULL1" } } },
  });
  const { context, page } = await here.open();
  const address = (id) => `${campaign.server.url}/j/panel?PROLIFIC_PID=${id}&STUDY_ID=s1&SESSION_ID=x`;
  await begin(page, address("p1"));
  await radio(page, "B is more similar").check();
  await button(page, "Save and continue").click();
  await heading(page).filter({ hasText: "Thank you" }).waitFor();
  assert.equal(await page.locator("output").textContent(), "DONE1");
  const back = page.getByRole("link", { name: "Return to Prolific" });
  assert.equal(await back.getAttribute("href"), "https://app.prolific.com/submissions/complete?cc=DONE1");
  await page.goto(address("p2"));
  await page.getByText("No more people are needed").waitFor();
  assert.equal(await page.locator("output").textContent(), "FULL1");
  await context.close();
});

test("links that are not valid, a pause and an end are said in plain words", async () => {
  const campaign = await here.server.campaign({ name: "words", show: "text" });
  const { context, page } = await here.open();
  for (const link of ["/j/words#invite=00ff", "/j/words", "/j/nowhere#invite=00ff"]) {
    await page.goto("about:blank");
    await page.goto(campaign.server.url + link);
    await heading(page).filter({ hasText: "This link does not work" }).waitFor();
  }
  await campaign.post("pause");
  await page.goto("about:blank");
  await page.goto(await campaign.link());
  await button(page, "Start").click();
  await heading(page).filter({ hasText: "Paused" }).waitFor();
  await campaign.post("resume");
  assert.equal(await pass(page), "Question");
  await campaign.post("close");
  await radio(page, "A is more similar").check();
  await button(page, "Save and continue").click();
  await heading(page).filter({ hasText: "Thank you" }).waitFor({ timeout: 20_000 });
  assert.equal((await campaign.events("answered")).length, 1, "an answer after the end is kept");
  await context.close();
});

test("who comes while others have everything waits, and goes on by itself", async () => {
  const campaign = await here.server.campaign({ name: "waiting", show: "text", items: 2 });
  const first = await here.open();
  const second = await here.open();
  await begin(first.page, await campaign.link());
  await second.page.goto(await campaign.link());
  await button(second.page, "Start").click();
  await heading(second.page).filter({ hasText: "Please wait" }).waitFor();
  await radio(first.page, "A is more similar").check();
  await button(first.page, "Save and continue").click();
  for (const { page, context } of [first, second]) {
    await heading(page).filter({ hasText: "Thank you" }).waitFor();
    await context.close();
  }
});

test("who is excluded is told so, and their last answer is kept", async () => {
  const campaign = await here.server.campaign({ name: "excluded", show: "text", queries: 2 });
  const { context, page } = await here.open();
  await begin(page, await campaign.link());
  const { people } = await campaign.get("people");
  await campaign.post(`people/${people[0].person}/exclude`, { reason: "A trial" });
  await radio(page, "A is more similar").check();
  await button(page, "Save and continue").click();
  await page.getByText("You no longer take part.").waitFor();
  await status(page, "Saved");
  assert.equal((await campaign.events("answered")).length, 1);
  await context.close();
});

test("a picture that does not load can be tried again", async () => {
  const campaign = await here.server.campaign({ name: "pictures", show: "image", items: 2 });
  const { context, page } = await here.open();
  let isDown = true;
  await page.route("**/media/*", (route) => (isDown ? route.abort() : route.continue()));
  await begin(page, await campaign.link());
  const original = page.getByRole("figure", { name: "Original" });
  await original.getByText("This did not load.").waitFor();
  isDown = false;
  await original.getByRole("button", { name: "Try again" }).click();
  await original.getByRole("img").waitFor();
  await context.close();
});
