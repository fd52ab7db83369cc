// What judges do on their page, as the tests do it.

import assert from "node:assert/strict";

export const button = (page, name) => page.getByRole("button", { name, exact: true });
export const radio = (page, name) => page.getByRole("radio", { name, exact: true });
export const heading = (page) => page.getByRole("heading", { level: 1 });

/** Opens a link and begins. */
export async function begin(page, link) {
  await page.goto(link);
  await button(page, "Start").click();
  await heading(page).filter({ hasText: /^Question/ }).waitFor();
}

/** Hears all three clips by their buttons. */
export async function hear(page, names = ["Play the original", "Play variation A", "Play variation B"]) {
  for (const name of names) {
    await button(page, name).click();
    const figure = page.getByRole("figure").filter({ has: button(page, name) });
    await figure.getByText("heard").waitFor();
  }
}

/** Waits until the status says something. */
export async function status(page, text) {
  await page.locator("#status").filter({ hasText: new RegExp(`^${text}$`) }).waitFor();
}

/** Which page comes next: a question, a break or the end. */
export async function comes(page, after = null) {
  await page.waitForFunction((before) => {
    const text = document.querySelector("h1")?.textContent ?? "";
    return text !== before && /^(Question|A new original|Thank you)/.test(text);
  }, after);
  return (await heading(page).textContent()).replace(/ \d+$/, "");
}

/** Goes on from a break, if there is one; which page comes then. */
export async function pass(page, after = null) {
  const next = await comes(page, after);
  if (next !== "A new original") return next;
  await button(page, "Continue").click();
  return comes(page, next);
}

/** The page is no wider than the screen, and what can be pressed is large enough. */
export async function assertFits(page) {
  const { over, small } = await page.evaluate(() => {
    const visible = (element) => element.checkVisibility() && element.getClientRects().length > 0;
    const targets = [...document.querySelectorAll("button, summary, select, textarea, a.button, label.choice, input")];
    const tooSmall = targets
      .filter((one) => visible(one) && !["radio", "checkbox"].includes(one.type))
      .filter((one) => one.getBoundingClientRect().height < 43.5 || one.getBoundingClientRect().width < 43.5)
      .map((one) => one.textContent || one.outerHTML);
    return { over: document.documentElement.scrollWidth - window.innerWidth, small: tooSmall };
  });
  assert.equal(over, 0, "the page scrolls sideways");
  assert.deepEqual(small, [], "targets smaller than 44 px");
}
