import { type ValidatorView, titleOf } from "../../diagnosis/validator/validator-views.ts";
import type { VerdictState } from "../../diagnosis/validator/reward-verdict.ts";
import { safe } from "../pages/html.ts";
import { answerOf } from "./answer-texts.ts";

/** White text on each of them has a contrast above 4.5. */
const COLOURS = {
  safe: "#1a6b3c",
  at_risk: "#8a5300",
  lost: "#b42318",
  unknown: "#5b5f66",
  none: "#5b5f66",
} as const satisfies Readonly<Record<VerdictState, string>>;

/** Characters of a name on a badge. */
const LONGEST_NAME = 32;

/** Pixels around each text, and the height of a badge. */
const SPACE = 7;
const HEIGHT = 20;

/** The badge of a validator, an unknown one too: its name and its reward, an SVG without scripts and styles. */
export function renderBadge(view: ValidatorView | undefined): string {
  const title = view === undefined ? "validator" : titleOf(view);
  const name = title.length > LONGEST_NAME ? `${title.slice(0, LONGEST_NAME - 1)}…` : title;
  const answer = view === undefined ? "not known" : answerOf(view.reward).toLowerCase();
  const colour = COLOURS[view?.reward.state ?? "unknown"];
  const [left, right] = [widthOf(name), widthOf(answer)];
  const [first, second] = [left + 2 * SPACE, right + 2 * SPACE];
  const label = `${name}: ${answer}`;
  const text = (words: string, x: number, width: number) =>
    safe`<text x="${x}" y="14" textLength="${width}" lengthAdjust="spacingAndGlyphs">${words}</text>`;
  return safe`<svg xmlns="http://www.w3.org/2000/svg" width="${first + second}" height="${HEIGHT}" role="img" aria-label="${label}">
    <title>${label}</title>
    <rect width="${first + second}" height="${HEIGHT}" rx="3" fill="#3b3f46"/>
    <path d="M${first} 0h${second - 3}a3 3 0 0 1 3 3v${HEIGHT - 6}a3 3 0 0 1-3 3H${first}z" fill="${colour}"/>
    <g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
    ${text(name, SPACE, left)}
    ${text(answer, first + SPACE, right)}
    </g>
    </svg>
    `.markup;
}

/** Pixels of a text in 11 px Verdana, roughly: `textLength` fits the glyphs into this width, whatever the font. */
function widthOf(text: string): number {
  return Math.ceil(text.length * 6.6);
}
