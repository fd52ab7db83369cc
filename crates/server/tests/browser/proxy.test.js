// The server behind nginx with TLS, set up as docs/server.md says.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { begin, button, comes, heading, hear, radio } from "./judging.js";
import { parcel, stage } from "./server.js";

const PATH = `${process.env.PATH}:/usr/sbin`;
const missing = ["nginx", "openssl"].filter((name) => spawnSync(name, ["-v"], { env: { PATH } }).error);
const skip = missing.length > 0 && `there is no ${missing.join(" and no ")}`;
if (skip) {
  console.error(`IGNORED: the server behind a proxy: ${skip} (see CONTRIBUTING.md).`);
  assert.notEqual(process.env.CI, "true", skip);
}

const port = await freePort();
const site = `https://127.0.0.1:${port}`;
// Only the proxy itself: the other addresses of this machine stand for people.
const here = stage(["--public-url", site, "--trusted-proxy", "127.0.0.1/32"]);
const folder = mkdtempSync(join(tmpdir(), "partita-proxy-"));
let nginx;

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The example of the guide, for this port, this certificate and this server. */
function configuration() {
  const guide = readFileSync(new URL("../../../../docs/server.md", import.meta.url), "utf8");
  const [, example] = /With nginx:\n\n```text\n([^`]*)```/.exec(guide);
  const swap = (text, from, to) => {
    assert.ok(text.includes(from), `the guide does not say ${from}`);
    return text.replaceAll(from, to);
  };
  let server = swap(example, "listen 443 ssl", `listen 127.0.0.1:${port} ssl`);
  server = swap(server, "/etc/letsencrypt/live/judge.example.org", folder);
  server = swap(server, "http://127.0.0.1:8080", here.server.url);
  // Whoever runs it owns the folder; as root it would hand its work to somebody who does not.
  const user = process.getuid() === 0 ? "user root;" : "";
  return `
${user} daemon off; pid ${folder}/pid; error_log stderr; events {}
http {
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  ${server}
}`;
}

/** What is said to somebody who comes from an address of this machine. */
function ask(method, path, { from = "127.0.0.2", headers = {}, body = "" } = {}) {
  return new Promise((resolve, reject) => {
    const options = { method, headers, localAddress: from, rejectUnauthorized: false };
    const asked = request(`${site}${path}`, options, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(parts).toString() }),
      );
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

/** Starts nginx before the server, once. */
let started;
const proxy = () => (started ??= start());

async function start() {
  const pair = ["-keyout", `${folder}/privkey.pem`, "-out", `${folder}/fullchain.pem`];
  const name = ["-subj", "/CN=judge.example.org", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...name, ...pair], { stdio: "ignore" });
  writeFileSync(join(folder, "nginx.conf"), configuration());
  const words = ["-c", join(folder, "nginx.conf"), "-e", "stderr", "-p", folder];
  const env = { PATH };
  execFileSync("nginx", [...words, "-t"], { env, stdio: "pipe" });
  nginx = spawn("nginx", words, { env, stdio: ["ignore", "inherit", "ignore"] });
  for (let tries = 0; tries < 100; tries += 1) {
    const ready = await ask("GET", "/").catch(() => null);
    if (ready?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("nginx did not start");
}

after(async () => {
  if (nginx) {
    nginx.kill("SIGQUIT");
    await new Promise((resolve) => nginx.once("exit", resolve));
  }
  rmSync(folder, { recursive: true, force: true });
});

test("a judge answers and an organiser signs in through the proxy", { skip }, async () => {
  await proxy();
  const campaign = await here.server.campaign({ name: "proxied", items: 2 });
  const link = await campaign.link();
  assert.ok(link.startsWith(`${site}/j/proxied#invite=`), link);
  const { context, page } = await here.open({ ignoreHTTPSErrors: true });
  await begin(page, link);
  await hear(page);
  await radio(page, "A is more similar").check();
  await button(page, "Save and continue").click();
  assert.equal(await comes(page, "Question 1"), "Thank you");
  assert.equal((await campaign.events("answered")).length, 1);

  await page.goto(`${site}/organise`);
  await page.getByRole("textbox", { name: "Access token" }).fill(here.server.token);
  await button(page, "Sign in").click();
  await heading(page).filter({ hasText: "Campaigns" }).waitFor();
  const [cookie] = await context.cookies();
  assert.deepEqual([cookie.httpOnly, cookie.secure, cookie.sameSite], [true, true, "Strict"]);
  assert.deepEqual(here.troubles(), []);
  await context.close();
});

test("a campaign with its clips is taken through the proxy", { skip }, async () => {
  await proxy();
  const { bytes, type } = parcel({ name: "large", queries: 40, items: 8 });
  assert.ok(bytes.length > 1 << 20, "more than nginx takes unless told");
  const headers = { Authorization: `Bearer ${here.server.token}`, "Content-Type": type };
  const made = await ask("POST", "/api/v1/campaigns", { headers, body: bytes });
  assert.equal(made.status, 201, made.text);
});

test("limits go by the address that the proxy saw", { skip }, async () => {
  await proxy();
  const guess = (from, forged) => {
    const headers = { "Content-Type": "application/json", ...(forged && { "X-Forwarded-For": forged }) };
    const body = JSON.stringify({ campaign: "proxied", invite: "guess" });
    return ask("POST", "/api/v1/judge/enter", { from, headers, body });
  };
  const said = [];
  for (let tries = 0; tries < 25; tries += 1) said.push((await guess("127.0.0.2")).status);
  assert.equal(said[0], 403);
  assert.equal(said.at(-1), 429);
  assert.equal((await guess("127.0.0.2", "192.0.2.7")).status, 429, "who writes an address there is still where they are");
  assert.equal((await guess("127.0.0.3")).status, 403, "others are not held up");
});
