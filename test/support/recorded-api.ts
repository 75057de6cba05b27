import type { Api, Call, Method, Outcomes } from "../../src/api/endpoint.ts";
import { batchResults, resultOf, type HttpAnswer } from "../../src/api/transport/json-rpc.ts";
import { recordingOf } from "./recordings.ts";

/** An `Api` with the recorded answers to the same calls on the same path; batches are composed of single answers. */
export function recordedApi(recording: string): Api {
  const { answers } = recordingOf(recording);
  const answerTo = (path: string, { method, params }: Call) => {
    const wanted = JSON.stringify(params);
    const found = answers.find(({ request }) => {
      if (request.path !== path || request.body?.startsWith('{"') !== true) return false;
      const body = JSON.parse(request.body) as { method?: string; params?: unknown };
      return body.method === method.name && JSON.stringify(body.params) === wanted;
    });
    const missing = `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method ${method.name} does not exist/is not available"}}`;
    return found?.response ?? { status: 200, headers: {}, body: missing };
  };
  const replyOf = (answer: ReturnType<typeof answerTo>): HttpAnswer => ({
    ...answer,
    body: { text: () => answer.body },
  });
  return {
    call: <P, R>(method: Method<P, R>, params: P) =>
      Promise.try(() => resultOf(replyOf(answerTo(method.path, { method, params })), method)),
    batch: <const C extends readonly Call[]>(path: string, calls: C) =>
      Promise.try(() => {
        const replies = calls.map((each) => answerTo(path, each));
        const failed = replies.find(({ status }) => status !== 200);
        const body = `[${replies.map((reply, i) => reply.body.replace('"id":1', `"id":${i + 1}`)).join(",")}]`;
        return batchResults(replyOf(failed ?? { status: 200, headers: {}, body }), calls) as Outcomes<C>;
      }),
    get: () => Promise.reject(new Error("not recorded")),
  };
}
