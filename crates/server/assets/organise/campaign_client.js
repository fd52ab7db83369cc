// Client for one campaign, used by the organiser's page.

import { request } from "../shared/http.js";

export class Campaign {
  constructor(view) {
    this.api = `/api/v1/campaigns/${encodeURIComponent(view.name)}`;
    this.take(view);
  }

  take(view) {
    this.name = view.name;
    this.title = view.title;
    this.state = view.state;
    this.document = view.document;
    this.seq = view.seq;
  }

  /** Refreshes the state and returns whether it changed. */
  async look() {
    // The campaign document may be large, so it is fetched again only after an event.
    if ((await this.text(`log?after=${this.seq}`)) === "") return false;
    this.take(await request("GET", this.api));
    return true;
  }

  get(path) {
    return request("GET", `${this.api}/${path}`, { patience: 120_000 });
  }

  text(path) {
    return request("GET", `${this.api}/${path}`, { text: true, patience: 120_000 });
  }

  post(path, json = {}) {
    return request("POST", `${this.api}/${path}`, { json });
  }

  drop(path) {
    return request("DELETE", `${this.api}/${path}`);
  }
}

/** Returns the client for a campaign name. */
export async function campaignOf(name) {
  return new Campaign(await request("GET", `/api/v1/campaigns/${encodeURIComponent(name)}`));
}
