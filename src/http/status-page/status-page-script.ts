/**
 * The only script of the status page, inlined. Without it the page says and filters the same; with it the page follows
 * what happens: each event has the page asked for again, and what it shows is put in place of the old.
 */
export const SCRIPT = `
"use strict";
(() => {
  const form = document.querySelector("form");
  const state = document.getElementById("live");
  let source, busy = false, waiting, notBefore = 0, due, timer;

  const keyed = () => [...document.querySelectorAll("details[data-key]")];

  const swap = (next) => {
    const open = new Set(keyed().filter((each) => each.open).map((each) => each.dataset.key));
    const focused = document.activeElement?.closest("details[data-key]")?.dataset.key;
    for (const id of ["summary", "content"]) {
      const [old, fresh] = [document.getElementById(id), next.getElementById(id)];
      if (old && fresh) old.replaceWith(document.adoptNode(fresh));
    }
    for (const each of keyed()) {
      if (open.has(each.dataset.key)) each.open = true;
      if (each.dataset.key === focused) each.querySelector("summary").focus({ preventScroll: true });
    }
    document.title = next.title;
    const [icon, newIcon] = [document, next].map((page) => page.querySelector("link[rel=icon]"));
    if (icon && newIcon) icon.href = newIcon.href;
  };

  const selecting = () => {
    const selection = getSelection();
    return selection !== null && !selection.isCollapsed && document.getElementById("content").contains(selection.anchorNode);
  };

  const refresh = async (asked) => {
    clearTimeout(due);
    if (busy) { waiting = asked || waiting === true; return; }
    // Nothing moves under a selection; and a page that is slow to make is asked for less often, but never forgotten.
    const wait = asked ? 0 : selecting() ? 1000 : notBefore - Date.now();
    if (wait > 0) { due = setTimeout(refresh, wait, false); return; }
    busy = true;
    const started = Date.now();
    try {
      const response = await fetch(location.href);
      if (!response.ok) throw new Error(String(response.status));
      swap(new DOMParser().parseFromString(await response.text(), "text/html"));
    } catch { tell("not reached, trying again"); }
    busy = false;
    notBefore = Date.now() + 20 * (Date.now() - started);
    if (waiting !== undefined) { const next = waiting; waiting = undefined; void refresh(next); }
  };

  const tell = (words) => { state.textContent = words; state.className = words === "live" ? "on" : "off"; };

  const listen = () => {
    source?.close();
    source = new EventSource("/api/v1/events");
    source.onopen = () => tell("live");
    source.onerror = () => {
      tell("not live, trying again");
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, 30000);
    };
    source.onmessage = () => void refresh(false);
  };

  const search = () => {
    const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
    history.replaceState(null, "", query.size === 0 ? location.pathname : "?" + query);
    void refresh(true);
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); search(); });
  form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(search, 200); });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) source?.close();
    else { listen(); void refresh(true); }
  });
  if (!document.hidden) listen();
})();
`;
