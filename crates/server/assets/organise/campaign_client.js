// Client for one campaign, used by the organiser's page.

import { request } from "../shared/http.js";

export class CampaignClient {
  constructor(view) {
    this.api = `/api/v1/campaigns/${encodeURIComponent(view.name)}`;
    this.update(view);
  }

  update(view) {
    this.name = view.name;
    this.title = view.title;
    this.state = view.state;
    this.document = view.document;
    this.reports = view.reports;
    this.seq = view.seq;
  }

  /** Refreshes the state and returns whether it changed. */
  async refresh() {
    // The campaign document may be large, so it is fetched again only after an event.
    if ((await this.text(`log?after=${this.seq}`)) === "") return false;
    this.update(await request("GET", this.api));
    return true;
  }

  get(path) {
    return request("GET", `${this.api}/${path}`, { timeout: 120_000 });
  }

  text(path) {
    return request("GET", `${this.api}/${path}`, { text: true, timeout: 120_000 });
  }

  post(path, json = {}) {
    return request("POST", `${this.api}/${path}`, { json });
  }

  patch(path, json) {
    return request("PATCH", `${this.api}/${path}`, { json });
  }

  delete(path) {
    return request("DELETE", `${this.api}/${path}`);
  }

  /** Deletes the campaign itself. */
  deleteAll() {
    return request("DELETE", this.api, { json: { confirm: this.name }, timeout: 120_000 });
  }
}

/** Returns the client for a campaign name. */
export async function fetchCampaign(name) {
  return new CampaignClient(await request("GET", `/api/v1/campaigns/${encodeURIComponent(name)}`));
}
