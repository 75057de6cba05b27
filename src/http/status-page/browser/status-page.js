"use strict";
(() => {
  const form = document.querySelector("form");
  const state = document.getElementById("live");
  /** @type {EventSource | undefined} */
  let source;
  let busy = false;
  /** @type {boolean | undefined} */
  let waiting;
  let notBefore = 0;
  /** @type {number | undefined} */
  let due;
  /** @type {number | undefined} */
  let timer;

  /** @returns {HTMLDetailsElement[]} */
  const keyed = () => [...document.querySelectorAll("details")].filter((each) => each.dataset.key !== undefined);

  /** The first keyed details in the window: what the reader looks at must stay where it is. */
  const anchor = () => {
    const seen = keyed().find((each) => each.getBoundingClientRect().bottom > 0);
    return { key: seen?.dataset.key, top: seen?.getBoundingClientRect().top };
  };

  /** @param {Document} next */
  const swap = (next) => {
    const before = scrollY > 0 ? anchor() : undefined;
    const open = new Set(
      keyed()
        .filter((each) => each.open)
        .map((each) => each.dataset.key),
    );
    const focused = keyed().findLast((each) => each.contains(document.activeElement))?.dataset.key;
    for (const id of ["summary", "content"]) {
      const [old, fresh] = [document.getElementById(id), next.getElementById(id)];
      if (!old || !fresh) continue;
      const focus = old === document.activeElement;
      old.replaceWith(document.adoptNode(fresh));
      // After the skip link the content itself has the focus.
      if (focus) fresh.focus({ preventScroll: true });
    }
    for (const each of keyed()) {
      const { key } = each.dataset;
      // A pending problem that fires meanwhile is the same entry.
      if (open.has(key) || open.has(`${key} pending`)) each.open = true;
      if (each.dataset.key === focused) each.querySelector("summary").focus({ preventScroll: true });
    }
    const same = before && keyed().find((each) => each.dataset.key === before.key);
    if (same) scrollBy({ top: same.getBoundingClientRect().top - before.top, behavior: "instant" });
    document.title = next.title;
    const [icon, newIcon] = [document, next].map((page) => page.querySelector("link[rel=icon]"));
    if (icon && newIcon) icon.setAttribute("href", newIcon.getAttribute("href"));
  };

  const selecting = () => {
    const selection = getSelection();
    return (
      selection !== null && !selection.isCollapsed && document.getElementById("content").contains(selection.anchorNode)
    );
  };

  /** @param {boolean} byUser */
  const refresh = async (byUser) => {
    clearTimeout(due);
    if (busy) {
      waiting = byUser || waiting === true;
      return;
    }
    // A selection must not be replaced, and a page that is slow to render is requested less often.
    const wait = byUser ? 0 : selecting() ? 1000 : notBefore - Date.now();
    if (wait > 0) {
      due = setTimeout(refresh, wait, false);
      return;
    }
    busy = true;
    const started = Date.now();
    try {
      const response = await fetch(location.href);
      if (!response.ok) throw new Error(String(response.status));
      swap(new DOMParser().parseFromString(await response.text(), "text/html"));
    } catch {
      showState("exporter unreachable, retrying");
    }
    busy = false;
    notBefore = Date.now() + 20 * (Date.now() - started);
    if (waiting !== undefined) {
      const next = waiting;
      waiting = undefined;
      void refresh(next);
    }
  };

  /** @param {string} words */
  const showState = (words) => {
    state.textContent = words;
    state.className = words === "live" ? "on" : "off";
  };

  const listen = () => {
    source?.close();
    source = new EventSource("/api/v1/events");
    source.onopen = () => showState("live");
    source.onerror = () => {
      showState("not live, retrying");
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, 30000);
    };
    source.onmessage = () => void refresh(false);
  };

  const search = () => {
    const query = new URLSearchParams(
      [...new FormData(form)].flatMap(([name, value]) =>
        typeof value === "string" && value !== "" ? [[name, value]] : [],
      ),
    );
    history.replaceState(null, "", query.size === 0 ? location.pathname : `?${query.toString()}`);
    void refresh(true);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 200);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) source?.close();
    else {
      listen();
      void refresh(true);
    }
  });
  if (!document.hidden) listen();
})();
