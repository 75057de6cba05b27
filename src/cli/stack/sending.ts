import { SERVICES, SWITCH_QUESTION, type Sending } from "../../../generate/notification-services.ts";
import { SERVICE_NAMES, type ServiceName } from "../../config/base/notification-services.ts";
import { didYouMean, oneOf, quoted } from "../../config/base/words.ts";
import type { Ask } from "../../daemon/ask.ts";

/** Asks where notifications go, or why that stays unknown, in a sentence. Credentials are asked for, because a command line is no place for them. */
export async function askSending(
  chosen: ServiceName | undefined,
  ask: Ask,
): Promise<Sending | { readonly problem: string }> {
  const word = chosen ?? (await ask(`Service that gets the alerts (${SERVICE_NAMES.join(", ")})`, false));
  const service = SERVICE_NAMES.find((name) => name === word);
  if (service === undefined) {
    const hint = didYouMean(word ?? "", SERVICE_NAMES) || `: pass --receiver, ${oneOf(SERVICE_NAMES)}`;
    return { problem: `${quoted(word ?? "")} is not a service${hint}` };
  }
  const answers: string[] = [];
  for (const { ask: question, isSecret, problem } of SERVICES[service].questions) {
    const answer = await ask(question, isSecret);
    const wrong = answer === undefined || answer === "" ? "no answer" : problem(answer);
    if (wrong !== undefined) return { problem: `${question}: ${wrong}` };
    answers.push(answer ?? "");
  }
  const address = (await ask(SWITCH_QUESTION.ask, SWITCH_QUESTION.isSecret)) ?? "";
  if (address === "") return { service, answers };
  const wrong = SWITCH_QUESTION.problem(address);
  return wrong === undefined
    ? { service, answers, deadMansSwitch: address }
    : { problem: `${SWITCH_QUESTION.ask}: ${wrong}` };
}
