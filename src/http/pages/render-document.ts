import { safe, trusted, type Html } from "./html.ts";

const NARROW = safe` class="narrow"`;

type Document = {
  readonly title: string;
  /** The style that the page's content security policy allows. */
  readonly style: string;
  readonly body: Html;
  /** Colour of the icon, a dot: six hexadecimal digits. */
  readonly colour?: string;
  /** Whether it is a text to read, of the width of a book. */
  readonly narrow?: true;
};

/** An HTML document with its style. It loads nothing. The element with the ID `content` is what its skip link leads to. */
export function renderDocument({ title, style, body, colour = "1f4fa8", narrow }: Document): string {
  const page = safe`<!doctype html>
    <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>${title} · avax-exporter</title>
      <link rel="icon" href="${iconOf(colour)}">
      <style>${trusted(style)}</style>
    </head>
    <body${narrow === true ? NARROW : ""}>
      <a class="skip" href="#content">Skip to the content</a>
      ${body}
    </body>
    </html>
    `;
  return page.markup;
}

function iconOf(colour: string): string {
  return `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='4' r='4' fill='%23${colour}'/%3E%3C/svg%3E`;
}
