import { afterEach, expect, test, vi } from "vitest";
import { isRun, type Loopback, loopbackInvoker } from "../../../adapters/runtime/cloudflare/loopback.ts";
import { API_VERSION, problemOf, type ReconcileRequest } from "../../../functions/contract/index.ts";
import { InvocationRefused } from "../../../functions/ports/index.ts";
import { refOf, success } from "../../support/shard.ts";

afterEach(() => vi.useRealTimers());

const request: ReconcileRequest = {
  ...{ apiVersion: API_VERSION, key: refOf("a"), reasons: ["object-updated"], attempt: 0, counts: true },
  ...{ lease: "l", deadlineMs: 60_000 },
};

/** A Worker that looks at its invocations. */
function workerThat(answers: (init: RequestInit) => Promise<Response>): { loopback: Loopback; props: unknown[] } {
  const props: unknown[] = [];
  const loopback: Loopback = (options) => {
    props.push(options.props);
    return { fetch: (_, init = {}) => answers(init) };
  };
  return { loopback, props };
}

test("a run is asked for with the request as its body and props that mark it, and its answer is passed on", async () => {
  let body: unknown;
  const { loopback, props } = workerThat(async (init) => {
    body = JSON.parse(String(init.body));
    return Response.json(success);
  });
  expect(await loopbackInvoker(loopback).invoke(request)).toEqual(success);
  expect(body).toEqual(request);
  expect(props.map(isRun)).toEqual([true]);
});

test.each([[undefined], [{}], [{ sluice: "other" }], ["reconcile"], [null]])("%j marks no run", (props) =>
  expect(isRun(props)).toBe(false),
);

test("S5 a run that goes on past its deadline is aborted before its lease ends, at 65 s", async () => {
  vi.useFakeTimers();
  const { loopback } = workerThat(
    ({ signal }) => new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  );
  const outcome = loopbackInvoker(loopback).invoke(request).catch(String);
  await vi.advanceTimersByTimeAsync(61_999);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome).toBe("Error: no answer within 62000 ms");
});

test("a run that was answered leaves no timer, which would keep the object from hibernating", async () => {
  vi.useFakeTimers();
  await loopbackInvoker(workerThat(async () => Response.json(success)).loopback).invoke(request);
  expect(vi.getTimerCount()).toBe(0);
});

test("X4 an answer that is none is a failure that tells the status and nothing of the body", async () => {
  const { loopback } = workerThat(async () => new Response("a secret", { status: 500 }));
  const failed = loopbackInvoker(loopback).invoke(request);
  await expect(failed).rejects.toThrow(/^the function answered 500$/);
  await expect(failed).rejects.not.toBeInstanceOf(InvocationRefused);
});

test("S8 what our own code refuses is the deployment's trouble, not the key's", async () => {
  const { loopback } = workerThat(async () => Response.json(problemOf("unavailable", "a secret"), { status: 503 }));
  await expect(loopbackInvoker(loopback).invoke(request)).rejects.toMatchObject({
    ...{ name: "InvocationRefused", message: "the function answered 503", status: 503, sent: true, ours: true },
  });
});
