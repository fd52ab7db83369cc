// Requests to the server, and errors from problem responses (RFC 9457).

/** Timeout of a request in milliseconds, after which the network counts as lost. */
const TIMEOUT_MILLIS = 30_000;

/** Media type of a problem; errors of any other type come from a proxy, a firewall or a captive portal. */
const PROBLEM_TYPE = "application/problem+json";

/**
 * Failed request. `kind` is the name of the server's problem, `network` without a response, or `foreign` if the
 * response does not come from this server.
 */
export class Problem extends Error {
  constructor(status, body, retryAfter) {
    super(body.detail || body.title || String(status));
    this.status = status;
    const own = /^\/problems\/([a-z-]+)$/.exec(body.type ?? "");
    this.kind = status === 0 ? "network" : (own?.[1] ?? "foreign");
    this.body = body;
    this.retryAfter = retryAfter;
  }

  /** Returns whether a retry of the same request may succeed. */
  get isTemporary() {
    if (this.kind === "network" || this.kind === "foreign") return true;
    return this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** Sends a request and returns its response as JSON, or null without a body. */
export async function request(method, path, { token, json, bytes, type, text = false, timeout = TIMEOUT_MILLIS } = {}) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (json !== undefined) headers["Content-Type"] = "application/json";
  if (type) headers["Content-Type"] = type;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeout);
  try {
    const response = await fetch(path, {
      method,
      headers,
      body: json === undefined ? bytes : JSON.stringify(json),
      credentials: "same-origin",
      cache: "no-store",
      signal: stop.signal,
    });
    const content = await response.text();
    if (!response.ok) {
      const seconds = Number(response.headers.get("Retry-After"));
      const body = mediaType(response) === PROBLEM_TYPE ? parseObject(content) : null;
      throw new Problem(response.status, body ?? {}, Number.isFinite(seconds) ? seconds : 0);
    }
    if (text) return content;
    if (content === "") return null;
    if (mediaType(response) !== "application/json") throw new Problem(response.status, {}, 0);
    return JSON.parse(content);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(0, { detail: String(error.message ?? error) }, 0);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the media type of a response without its parameters. */
function mediaType(response) {
  return (response.headers.get("Content-Type") ?? "").split(";")[0].trim().toLowerCase();
}

/** Parses a JSON object; returns null for any other text. */
function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
