// A server of its own for each test, with campaigns whose clips are short tones, and a browser.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { zip } from "./zip.js";

const BINARY = process.env.PARTITA_BIN;
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** Clips of the tests sound this long, in seconds. */
const CLIP = 0.2;

/** Starts the server on a free port with an empty folder. */
export async function startServer(options = []) {
  if (!BINARY) throw new Error("PARTITA_BIN must name the program");
  const server = new Server(mkdtempSync(join(tmpdir(), "partita-browser-")), options);
  await server.start("127.0.0.1:0");
  return server;
}

class Server {
  constructor(folder, options) {
    Object.assign(this, { folder, options });
  }

  /** Starts the program; it is ready when it says its address. */
  async start(listen) {
    const data = join(this.folder, "data");
    const words = ["serve", "--data", data, "--listen", listen, "--format", "json", ...this.options];
    this.child = spawn(BINARY, words, { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: this.child.stdout });
    const first = await new Promise((resolve, reject) => {
      lines.once("line", resolve);
      this.child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    });
    this.url = JSON.parse(first).url;
    this.token = readFileSync(join(data, "organiser.token"), "utf8").trim();
  }

  /** Ends the program as a power cut does. */
  async kill() {
    this.child.kill("SIGKILL");
    await new Promise((resolve) => this.child.once("exit", resolve));
  }

  async api(method, path, body, type = "application/json") {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, ...(body === undefined ? {} : { "Content-Type": type }) },
      body,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  }

  async get(path) {
    return JSON.parse(await this.api("GET", path));
  }

  /** Makes a campaign; the way to its invites. */
  async campaign(options) {
    const { document, bytes, type } = parcel(options);
    await this.api("POST", "/campaigns", bytes, type);
    return new Campaign(this, document.name);
  }

  async stop() {
    this.child.kill("SIGTERM");
    await new Promise((resolve) => this.child.once("exit", resolve));
    rmSync(this.folder, { recursive: true });
  }
}

class Campaign {
  constructor(server, name) {
    Object.assign(this, { server, name });
  }

  /** A link for one more person. */
  async link(kind = "preference") {
    const made = await this.server.api("POST", `/campaigns/${this.name}/invites`, JSON.stringify({ kind }));
    return JSON.parse(made).invites[0].link;
  }

  get(path) {
    return this.server.get(`/campaigns/${this.name}/${path}`);
  }

  post(path, body = {}) {
    return this.server.api("POST", `/campaigns/${this.name}/${path}`, JSON.stringify(body));
  }

  /** The events of the log, or those of one kind. */
  async events(kind = null) {
    const log = await this.server.api("GET", `/campaigns/${this.name}/log`);
    const events = log.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    return kind === null ? events : events.filter((event) => event.event === kind);
  }
}

/** A campaign's document, with its clips if it has sound. */
export function parcel({ name, show = "audio", queries = 1, items = 3, ...rest }) {
  const files = {};
  const shown = (label, pitch) => {
    if (show === "text") return { text: `The text of ${label}` };
    if (show === "image") {
      files[`${label}.png`] = PNG;
      return { image: `${label}.png`, alt: `A picture of ${label}` };
    }
    files[`${label}.wav`] = tone(pitch);
    return { audio: `${label}.wav` };
  };
  const lists = Array.from({ length: queries }, (_, query) => ({
    query: `q${query}`,
    show: shown(`q${query}`, 300 + 40 * query),
    items: Array.from({ length: items }, (_, item) => ({
      item: `q${query}i${item}`,
      show: shown(`q${query}i${item}`, 310 + 40 * query + 7 * item),
    })),
  }));
  const settings = { votes: 1, decide: "majority" };
  const document = { name, title: `The title of ${name}`, settings, lists, ...rest };
  const text = JSON.stringify(document);
  if (show === "text") return { document, bytes: text, type: "application/json" };
  return { document, bytes: zip({ "campaign.json": Buffer.from(text), ...files }), type: "application/zip" };
}

/** A picture of one white point. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTjUgAAAAABJRU5ErkJggg==",
  "base64",
);

/** A tone as a WAV file. */
function tone(pitch) {
  const rate = 8_000;
  const count = rate * CLIP;
  const bytes = Buffer.alloc(44 + 2 * count);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(36 + 2 * count, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(2 * rate, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(2 * count, 40);
  for (let at = 0; at < count; at += 1) {
    bytes.writeInt16LE(Math.round(6_000 * Math.sin((2 * Math.PI * pitch * at) / rate)), 44 + 2 * at);
  }
  return bytes;
}

/** A server and a browser for the tests of a file; `open` gives a window, and fails tests whose page fails. */
export function stage(serving = []) {
  const here = { server: null, browser: null };
  const troubles = [];
  before(async () => {
    here.server = await startServer(serving);
    here.browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  });
  after(async () => {
    await here.browser?.close();
    await here.server?.stop();
  });
  here.open = async (options = {}) => {
    const context = await here.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    context.setDefaultTimeout(10_000);
    return { context, page: await here.window(context) };
  };
  here.window = async (context) => {
    const page = await context.newPage();
    page.on("pageerror", (error) => troubles.push(String(error)));
    page.on("console", (message) => {
      // The browser itself says so when a request fails; the page must say nothing.
      if (!message.text().startsWith("Failed to load resource")) troubles.push(message.text());
    });
    return page;
  };
  /** What pages complained about since the last call. */
  here.troubles = () => troubles.splice(0);
  return here;
}
