import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { afterEach, test } from "node:test";
import { begin, button, heading, hear, pass, radio, status } from "./judging.js";
import { stage } from "./server.js";

const here = stage();

afterEach(() => assert.deepEqual(here.troubles(), [], "a page complained"));

/** Starts `partita demo` and reads what it prints: the links of judges, the organiser's page, the token's file. */
async function demo() {
  const child = spawn(process.env.PARTITA_BIN, ["demo"], { stdio: ["ignore", "pipe", "ignore"] });
  const said = { child, judges: [], organiser: null, file: null, printed: "" };
  for await (const line of createInterface({ input: child.stdout })) {
    said.printed += `${line}\n`;
    const link = line.trim();
    if (link.includes("/j/demo#invite=")) said.judges.push(link);
    if (link.endsWith("/organise/demo")) said.organiser = link;
    said.file ??= line.match(/\/\S+\/organiser\.token/)?.[0] ?? null;
    if (line.startsWith("Ctrl-C")) break;
  }
  return said;
}

/** Ends it as Ctrl-C does; the exit code. */
async function end(child) {
  const over = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGINT");
  return over;
}

/** How many votes the organiser's page shows. */
async function votes(page) {
  const shown = page.locator("dl div").filter({ has: page.getByText("Votes so far", { exact: true }) });
  return Number(await shown.locator("dd").textContent());
}

/** Hears or reads what is asked, prefers A and saves; which page comes then. */
async function answer(page) {
  const before = await heading(page).textContent();
  if (await button(page, "Play the original").count()) await hear(page);
  await radio(page, "A is more similar").check();
  await button(page, "Save and continue").click();
  return pass(page, before);
}

test("what `partita demo` prints leads to questions and to the organiser's page, which counts their answers", async () => {
  const { child, judges, organiser, file, printed } = await demo();
  try {
    assert.ok(judges.length > 1);
    const token = readFileSync(file, "utf8").trim();
    assert.ok(!printed.includes(token), "the organiser's token is printed");

    const desk = await here.open();
    await desk.page.goto(organiser);
    await desk.page.getByRole("textbox", { name: "Access token" }).fill(token);
    await button(desk.page, "Sign in").click();
    await desk.page.getByText("Votes so far").waitFor();
    const before = await votes(desk.page);
    assert.ok(before > 20, `simulated people gave ${before} votes`);

    // A question by ear and one to be read; whatever comes first.
    const judge = await here.open();
    await begin(judge.page, judges[0]);
    let answered = 0;
    const kinds = new Set();
    while (kinds.size < 2) {
      kinds.add((await button(judge.page, "Play the original").count()) > 0);
      assert.equal(await answer(judge.page), "Question");
      answered += 1;
      await status(judge.page, "Saved");
    }
    await desk.page.waitForFunction(
      (wanted) => [...document.querySelectorAll("dd")].some((shown) => shown.textContent === wanted),
      String(before + answered),
    );
    assert.equal(await votes(desk.page), before + answered);

    // Another link is another person.
    const other = await here.open();
    await begin(other.page, judges[1]);
    await other.page.getByText("0 of 12 answered").waitFor();
    for (const { context } of [desk, judge, other]) await context.close();
  } finally {
    assert.equal(await end(child), 0);
    assert.ok(!existsSync(file), "its folder is left behind");
  }
});
