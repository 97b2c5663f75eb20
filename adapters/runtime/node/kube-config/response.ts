import type { Dispatcher } from "undici";
import type { KubeResponse } from "../../../../functions/ports/index.ts";

/**
 * An answer of undici's `request`, read without the streams of a whole `Response`: measured on a GET of 1 kB, `fetch` takes
 * 1.8 to 2.5 times the CPU of this.
 */
export class NodeResponse implements KubeResponse {
  readonly status: number;
  readonly #data: Dispatcher.ResponseData;
  readonly #noAnswer: (error: unknown) => unknown;

  /** @param noAnswer makes the error of a body that ended early. */
  constructor(data: Dispatcher.ResponseData, noAnswer: (error: unknown) => unknown) {
    this.status = data.statusCode;
    this.#data = data;
    this.#noAnswer = noAnswer;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get headers(): Headers {
    const headers = new Headers();
    for (const [name, value] of Object.entries(this.#data.headers))
      for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
    return headers;
  }

  get body(): KubeResponse["body"] {
    return this.#data.body.body ?? null;
  }

  async text(): Promise<string> {
    try {
      return await this.#data.body.text();
    } catch (error) {
      throw this.#noAnswer(error);
    }
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}
