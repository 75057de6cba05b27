import { SERVICES, SWITCH_QUESTION, type Chosen, type Sending } from "../../../generate/notification-services.ts";
import { NOTIFIERS, type Notifier } from "../../config/base/notifiers.ts";
import { didYouMean, oneOf, quoted } from "../../config/base/error-texts.ts";
import type { System } from "../../daemon/system.ts";
import { Refused } from "../text/refuse.ts";

type Asked<T> = {
  readonly question: string;
  readonly isSecret?: boolean;
  readonly read: (answer: string) => { readonly value: T } | { readonly problem: string };
  /** The value where the input ends before this question; none means that it has to be answered. */
  readonly without?: { readonly value: T };
};

/** Asks until the answer is good; what is wrong with another one is printed. @throws Refused at the end of the input */
export async function askUntil<T>(
  { ask, err }: System,
  { question, isSecret = false, read, without }: Asked<T>,
): Promise<T> {
  let last: string | undefined;
  for (;;) {
    const answer = await ask?.(question, isSecret);
    if (answer === undefined) {
      if (without !== undefined && last === undefined) return without.value;
      throw new Refused(`${question}: ${last ?? "no answer"}`);
    }
    const found = read(answer);
    if ("value" in found) return found.value;
    last = found.problem;
    err(`  ${last}\n`);
  }
}

/** Services that the command line names. */
type Named = { readonly [K in "page" | "ticket" | "receiver"]?: Notifier };

/** Asks where notifications go. Credentials are asked for, because a command line is no place for them. @throws Refused */
export async function askSending(named: Named, system: System): Promise<Sending> {
  const page = await askService("pages", named.page ?? named.receiver, undefined, system);
  const ticket = await askService("tickets", named.ticket ?? named.receiver, page, system);
  const { ask: question, isSecret, problem } = SWITCH_QUESTION;
  const address = await askUntil(system, {
    question,
    isSecret,
    read: (answer) => checked(answer, answer === "" ? undefined : problem(answer)),
    without: { value: "" },
  });
  return { page, ticket, ...(address === "" ? {} : { deadMansSwitch: address }) };
}

/** A service with its settings. The one of the pages is that of the tickets by default, and is asked about once. */
async function askService(
  what: string,
  given: Notifier | undefined,
  same: Chosen | undefined,
  system: System,
): Promise<Chosen> {
  const hint = same === undefined ? "" : `; Enter: ${same.service}`;
  const service =
    given ??
    (await askUntil<Notifier>(system, {
      question: `Service that gets the ${what} (${NOTIFIERS.join(", ")}${hint})`,
      read(word) {
        const found = word === "" ? same?.service : NOTIFIERS.find((name) => name === word);
        if (found !== undefined) return { value: found };
        return {
          problem: `${quoted(word)} is not a service${didYouMean(word, NOTIFIERS) || `; it is ${oneOf(NOTIFIERS)}`}`,
        };
      },
      ...(same === undefined ? {} : { without: { value: same.service } }),
    }));
  if (same !== undefined && service === same.service) return same;
  const answers: string[] = [];
  for (const { ask: question, isSecret, problem } of SERVICES[service].questions) {
    const read = (answer: string) => checked(answer, answer === "" ? "no answer" : problem(answer));
    answers.push(await askUntil(system, { question, isSecret, read }));
  }
  return { service, answers };
}

function checked(answer: string, problem: string | undefined) {
  return problem === undefined ? { value: answer } : { problem };
}
