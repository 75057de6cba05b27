import { expect, test } from "vitest";
import { escapeHtml, safe, trusted } from "../../../src/http/pages/html.ts";

test("text is escaped in elements and attributes", () => {
  const hostile = `<script>alert("1" & '2')</script>`;
  expect(safe`<a title="${hostile}">${hostile}</a>`.markup).toBe(
    '<a title="&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;">&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;</a>',
  );
});

test("markup, lists of markup and numbers are not escaped", () => {
  expect(safe`<ul>${[safe`<li>${1}</li>`, safe`<li>${"<"}</li>`]}</ul>${trusted("<hr>")}`.markup).toBe(
    "<ul><li>1</li><li>&lt;</li></ul><hr>",
  );
});

test("the indentation of a template is removed, that of a value is kept", () => {
  expect(
    safe`<p>
      ${"a\n  b"}
    </p>`.markup,
  ).toBe("<p>\na\n  b\n</p>");
});

test("control characters and direction marks are replaced", () => {
  expect(escapeHtml("a\u0000b\u202ec\u2066d\u001b[31m")).toBe("a\ufffdb\ufffdc\ufffdd\ufffd[31m");
  expect(escapeHtml("tab\tand\nline, Zürich, 東京")).toBe("tab\tand\nline, Zürich, 東京");
});
