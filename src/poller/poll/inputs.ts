import type { Answer } from "../../api/endpoint.ts";
import type { Topic } from "../../topics/define/topic.ts";

/** By key; `undefined` without any. */
export type Answers = ReadonlyMap<string, Answer> | undefined;

/**
 * What a topic was last read from. It is compared and replaced in place: lists of their own would be made by each scrape for each of
 * thirty topics of a thousand nodes, also where nothing has changed.
 */
export class Inputs {
  readonly topic: Topic;
  /** Number of the reading of everything in which it was last looked at. */
  round = -1;
  readonly #others: unknown[] = [];
  readonly #answers: Answers[] = [];
  #otherCount = 0;
  #answerCount = 0;
  #isChanged = false;

  constructor(topic: Topic) {
    this.topic = topic;
  }

  /** The answers that were taken last. */
  get answers(): readonly Answers[] {
    return this.#answers;
  }

  begin(round: number): void {
    this.#isChanged = this.round < 0;
    this.round = round;
    this.#otherCount = 0;
    this.#answerCount = 0;
  }

  take(other: unknown): void {
    if (replaced(this.#others, this.#otherCount++, other)) this.#isChanged = true;
  }

  takeAnswers(answers: Answers): void {
    if (replaced(this.#answers, this.#answerCount++, answers)) this.#isChanged = true;
  }

  /** Whether anything is another one than the last time, or was never taken before. */
  end(): boolean {
    if (this.#otherCount < this.#others.length || this.#answerCount < this.#answers.length) this.#isChanged = true;
    this.#others.length = this.#otherCount;
    this.#answers.length = this.#answerCount;
    return this.#isChanged;
  }
}

function replaced<T>(list: T[], index: number, value: T): boolean {
  if (index < list.length && list[index] === value) return false;
  list[index] = value;
  return true;
}
