// Formatting of tables, numbers and times for organisers.

import { el } from "../shared/dom.js";
import { language } from "../shared/i18n.js";

/**
 * Creates a table that scrolls on narrow screens. A column is a name, or [name, "number"], or [name, class, key] for
 * a column by which the `RowQuery` of the table sorts.
 */
export function table(caption, columns, rows, query = null) {
  const kind = (index) => (Array.isArray(columns[index]) ? columns[index][1] : null);
  const cell = (value, index) =>
    value instanceof Node || Array.isArray(value)
      ? el("td", { class: kind(index) }, value)
      : el("td", { class: kind(index), text: value ?? "" });
  const heads = columns.map((column, index) => {
    const [text, , key] = Array.isArray(column) ? column : [column];
    if (!key) return el("th", { scope: "col", class: kind(index), text });
    const { content, order } = query.header(key, text);
    return el("th", { scope: "col", class: kind(index), "aria-sort": order }, content);
  });
  return el(
    "div",
    { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" },
    el(
      "table",
      {},
      el("caption", { class: "unseen", text: caption }),
      el("thead", {}, el("tr", {}, ...heads)),
      el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map(cell)))),
    ),
  );
}

/** Formats a number with a maximum number of decimals. */
export function number(value, digits = 0) {
  return value.toLocaleString(language(), { maximumFractionDigits: digits });
}

/** Formats an amount of money, with its currency if that is known. */
export function money(value, currency) {
  const amount = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return value.toLocaleString(language(), currency ? { style: "currency", currency, ...amount } : amount);
}

/** Formats a probability or an agreement. */
export function percent(value) {
  return value.toLocaleString(language(), { style: "percent", maximumFractionDigits: 0 });
}

/** Formats a duration in its two largest units. */
export function duration(seconds) {
  const minutes = seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : 0;
  const days = Math.floor(minutes / 1_440);
  const hours = Math.floor((minutes % 1_440) / 60);
  const unit = (value, name) =>
    value.toLocaleString(language(), { style: "unit", unit: name, unitDisplay: "short" });
  const parts = [
    [days, "day"],
    [hours, "hour"],
    [days > 0 ? 0 : minutes % 60, "minute"],
  ].filter(([value]) => value > 0);
  return parts.length > 0 ? parts.map(([value, name]) => unit(value, name)).join(" ") : unit(0, "minute");
}

/** Formats a time in UTC, to the second. */
export function utcTime(text) {
  return text ? text.slice(0, 19).replace("T", " ") : "";
}

/** Writes rows as CSV. A cell that a spreadsheet would take for a formula gets an apostrophe. */
export function csvText(rows) {
  const cell = (text) => {
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}

/** Parses the rows of a CSV text, without the header. */
export function csvRows(csv, separator = ",") {
  const all = [];
  let row = [];
  let cell = "";
  let quoted = false;
  const endCell = () => {
    row.push(cell);
    cell = "";
  };
  for (let at = 0; at < csv.length; at += 1) {
    const char = csv[at];
    if (quoted) {
      if (char !== '"') cell += char;
      else if (csv[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === separator) endCell();
    else if (char === "\n") {
      endCell();
      all.push(row);
      row = [];
    } else if (char !== "\r") cell += char;
  }
  if (cell !== "" || row.length > 0) {
    endCell();
    all.push(row);
  }
  return all.slice(1);
}
