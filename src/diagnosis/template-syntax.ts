/** The syntax of Prometheus's templates, as far as texts of alerts use it. */

export type Operand =
  /** A number with a point is a number, one without is an integer as a `bigint`: Go compares neither with the other. */
  | { readonly kind: "constant"; readonly value: string | number | bigint }
  /** `$name`, the position that a `range` gives its elements, from 0 */
  | { readonly kind: "position"; readonly name: string }
  /** `$labels.name` */
  | { readonly kind: "label"; readonly name: string }
  /** `$value` */
  | { readonly kind: "value" }
  /** `.`, or a field of it: `.Value`, `.Labels.name` */
  | { readonly kind: "dot"; readonly path: readonly string[] };

/** A function with its arguments; without a name it is one operand. */
export type Command = { readonly name: string | undefined; readonly operands: readonly Operand[] };
export type Pipeline = readonly Command[];

export type Node =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "output"; readonly pipeline: Pipeline }
  | {
      readonly kind: "if" | "with" | "range";
      /** Name of the position in `range $name, $other := …`. */
      readonly position?: string | undefined;
      readonly pipeline: Pipeline;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    };

/** A piece of a template: text, or what is between two braces. */
type Piece = { readonly text: string; readonly action: boolean };

const ACTION = /\{\{ ((?:"(?:[^"\\]|\\.)*"|[^"}])*?) \}\}/g;
const TOKEN = /\s*(?:(?<text>"(?:[^"\\]|\\.)*")|(?<bar>\|)|(?<word>[^\s"|]+))/y;

/** The nodes of a template. @throws RangeError for unsupported syntax */
export function parseTemplate(template: string): readonly Node[] {
  const pieces = piecesOf(template);
  const [nodes, end] = block(pieces, 0);
  if (end < pieces.length) throw unsupported(pieces[end]?.text ?? "");
  return nodes;
}

function piecesOf(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const addText = (text: string): void => {
    if (text.includes("{{")) throw unsupported(text);
    if (text !== "") pieces.push({ text, action: false });
  };
  for (const { index, 0: whole, 1: inside = "" } of template.matchAll(ACTION)) {
    addText(template.slice(at, index));
    pieces.push({ text: inside, action: true });
    at = index + whole.length;
  }
  addText(template.slice(at));
  return pieces;
}

/** Reads nodes up to `else`, `end` or the end of the template. */
function block(pieces: readonly Piece[], from: number): readonly [nodes: readonly Node[], at: number] {
  const nodes: Node[] = [];
  for (let at = from; ; at++) {
    const piece = pieces[at];
    if (piece === undefined || (piece.action && (piece.text === "else" || piece.text === "end"))) return [nodes, at];
    const [node, last] = nodeAt(pieces, at, piece);
    nodes.push(node);
    at = last;
  }
}

/** A node and the index of its last piece. */
function nodeAt(pieces: readonly Piece[], at: number, { text, action }: Piece): readonly [Node, number] {
  if (!action) return [{ kind: "text", text }, at];
  const [, kind, given = ""] = /^(if|with|range) (.*)$/s.exec(text) ?? [];
  if (kind !== "if" && kind !== "with" && kind !== "range") {
    return [{ kind: "output", pipeline: pipelineOf(text) }, at];
  }
  const [body, middle] = block(pieces, at + 1);
  const [otherwise, end] = pieces[middle]?.text === "else" ? block(pieces, middle + 1) : [[], middle];
  if (pieces[end]?.text !== "end") throw unsupported(text);
  const [, position, rest = given] = (kind === "range" && /^\$(\w+), \$\w+ := (.*)$/s.exec(given)) || [];
  return [{ kind, position, pipeline: pipelineOf(rest), body, otherwise }, end];
}

function pipelineOf(text: string): Pipeline {
  const commands: Array<Array<Operand | string>> = [[]];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.trimEnd().length;) {
    const groups = TOKEN.exec(text)?.groups as Partial<Record<"text" | "bar" | "word", string>> | undefined;
    if (groups === undefined) throw unsupported(text);
    if (groups.bar !== undefined) commands.push([]);
    else
      commands.at(-1)?.push(groups.text === undefined ? operandOf(groups.word ?? "") : constantOf(groups.text, text));
  }
  return commands.map(([first, ...rest]) => {
    if (first === undefined || rest.some((each) => typeof each === "string")) throw unsupported(text);
    const operands = rest as readonly Operand[];
    return typeof first === "string" ? { name: first, operands } : { name: undefined, operands: [first, ...operands] };
  });
}

/** An operand, or the name of a function. */
function operandOf(word: string): Operand | string {
  if (word === "$value") return { kind: "value" };
  const label = /^\$labels\.(\w+)$/.exec(word)?.[1];
  if (label !== undefined) return { kind: "label", name: label };
  if (/^\.(?:\w+(?:\.\w+)*)?$/.test(word)) return { kind: "dot", path: word.slice(1).split(".").filter(Boolean) };
  const position = /^\$(\w+)$/.exec(word)?.[1];
  if (position !== undefined) return { kind: "position", name: position };
  if (/^-?\d+\.\d+$/.test(word)) return { kind: "constant", value: Number(word) };
  return /^-?\d+$/.test(word) ? { kind: "constant", value: BigInt(word) } : word;
}

function constantOf(quoted: string, text: string): Operand {
  try {
    return { kind: "constant", value: String(JSON.parse(quoted)) };
  } catch {
    throw unsupported(text);
  }
}

export function unsupported(inside: string): RangeError {
  return new RangeError(`unsupported template: {{ ${inside} }}`);
}
