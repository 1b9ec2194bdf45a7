/** Sends one request after another, as a client without batches does. */
export interface StoredRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}

let requests: StoredRequest[] = [];

export function prepare(given: StoredRequest[]): void {
  requests = given;
}

/** @returns milliseconds */
export async function run(): Promise<number> {
  const started = performance.now();
  for (const { url, ...init } of requests) {
    const reply = await fetch(url, init);
    if (!reply.ok) throw new Error(`${url} failed with ${reply.status}: ${await reply.text()}`);
    await reply.text();
  }
  return performance.now() - started;
}
